export { databaseContract, type DatabaseTrial } from "./database-contract.js";
