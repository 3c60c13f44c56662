export { type ContractCase, type CreateRunner, runnerContract } from "./testing/runner-contract.js";
