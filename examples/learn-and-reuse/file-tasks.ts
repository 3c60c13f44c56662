import type { Task } from "./task.js";

/** What is asked of logs, settings and tables in files. */
export const FILE_TASKS: readonly Task[] = [
  {
    id: "errors in a log",
    code: ({ path }) => `const file = await mcp.fs.read({ path: "${path}" });
return file.content.split("\\n").filter((line) => line.startsWith("ERROR")).length;`,
    asked: [
      ["How many errors are in logs/billing.log?", { path: "logs/billing.log" }],
      ["count the error lines of logs/mail.log", { path: "logs/mail.log" }],
      ["Check logs/search.log and tell me how often something failed with an ERROR", { path: "logs/search.log" }],
      ["number of ERROR entries in the login log", { path: "logs/login.log" }],
      ["how bad is logs/export.log, i.e. how many errors", { path: "logs/export.log" }],
      ["Did anything go wrong in logs/import.log? Count the errors", { path: "logs/import.log" }],
      ["errors logged in logs/cart.log, just the number", { path: "logs/cart.log" }],
      ["I want the error count for the stock service's log", { path: "logs/stock.log" }],
      ["Look through logs/report.log and count errors", { path: "logs/report.log" }],
      ["logs/chat.log: how many error messages?", { path: "logs/chat.log" }],
    ],
    expect: ({ path }, { files }) => lines(files[path]).filter((line) => line.startsWith("ERROR")).length,
  },
  {
    id: "lines of a file",
    code: ({ path }) => `const file = await mcp.fs.read({ path: "${path}" });
return file.content.split("\\n").length;`,
    asked: [
      ["How many lines does logs/mail.log have?", { path: "logs/mail.log" }],
      ["line count of data/billing.csv", { path: "data/billing.csv" }],
      ["Count the lines in config/search.json", { path: "config/search.json" }],
      ["how long is the file logs/login.log in lines", { path: "logs/login.log" }],
      ["Tell me the number of lines of data/export.csv", { path: "data/export.csv" }],
      ["length in lines: logs/import.log", { path: "logs/import.log" }],
      ["I'd like to know how many rows of text logs/cart.log contains", { path: "logs/cart.log" }],
      ["number of lines in data/stock.csv please", { path: "data/stock.csv" }],
      ["What is the line total of logs/report.log?", { path: "logs/report.log" }],
      ["count how many lines there are in config/chat.json", { path: "config/chat.json" }],
    ],
    expect: ({ path }, { files }) => lines(files[path]).length,
  },
  {
    id: "read a setting",
    code: `const file = await mcp.fs.read({ path });
return JSON.parse(file.content)[key];`,
    asked: [
      ["What is the port in config/billing.json?", { path: "config/billing.json", key: "port" }],
      ["read the timeout from config/mail.json", { path: "config/mail.json", key: "timeout" }],
      ["Which host does config/search.json name?", { path: "config/search.json", key: "host" }],
      ["look up retries in config/login.json", { path: "config/login.json", key: "retries" }],
      ["value of the setting port, file config/export.json", { path: "config/export.json", key: "port" }],
      ["how is timeout set in config/import.json", { path: "config/import.json", key: "timeout" }],
      ["Tell me the host that is configured in config/cart.json", { path: "config/cart.json", key: "host" }],
      ["get the number of retries configured in config/stock.json", { path: "config/stock.json", key: "retries" }],
      ["config/report.json: which port?", { path: "config/report.json", key: "port" }],
      ["I need the timeout value out of config/chat.json", { path: "config/chat.json", key: "timeout" }],
    ],
    expect: ({ path, key }, { files }) => (JSON.parse(files[path] ?? "{}") as Record<string, unknown>)[key],
  },
  {
    id: "change a setting",
    code: `const file = await mcp.fs.read({ path });
const settings = { ...JSON.parse(file.content), [key]: value };
await mcp.fs.write({ path, content: JSON.stringify(settings, null, 2) });
return settings[key];`,
    asked: [
      ["Set the port in config/billing.json to 9000", { path: "config/billing.json", key: "port", value: 9000 }],
      ["change the timeout of config/mail.json to 45", { path: "config/mail.json", key: "timeout", value: 45 }],
      [
        "Please update retries in config/search.json, make it 7",
        { path: "config/search.json", key: "retries", value: 7 },
      ],
      ["config/login.json should use port 9100", { path: "config/login.json", key: "port", value: 9100 }],
      ["raise timeout to 90 in config/export.json", { path: "config/export.json", key: "timeout", value: 90 }],
      [
        "Write host = import.internal into config/import.json",
        { path: "config/import.json", key: "host", value: "import.internal" },
      ],
      ["Put 3 as retries into config/cart.json", { path: "config/cart.json", key: "retries", value: 3 }],
      ["modify config/stock.json so that port is 9200", { path: "config/stock.json", key: "port", value: 9200 }],
      ["in config/report.json, replace the timeout by 120", { path: "config/report.json", key: "timeout", value: 120 }],
      [
        "the host in config/chat.json must become chat.internal",
        { path: "config/chat.json", key: "host", value: "chat.internal" },
      ],
    ],
    expect: ({ path, key, value }, { files }) => {
      const settings = { ...(JSON.parse(files[path] ?? "{}") as object), [key]: value };
      files[path] = JSON.stringify(settings, null, 2);
      return value;
    },
  },
  {
    id: "sum of a column",
    code: `const { content } = await mcp.fs.read({ path });
const [head, ...rows] = content.split("\\n").map((line) => line.split(","));
const at = head.indexOf(column);
return rows.reduce((sum, row) => sum + Number(row[at]), 0);`,
    asked: [
      ["Add up the amount column of data/billing.csv", { path: "data/billing.csv", column: "amount" }],
      ["sum of weight in data/mail.csv", { path: "data/mail.csv", column: "weight" }],
      ["What is the total amount in data/search.csv?", { path: "data/search.csv", column: "amount" }],
      ["Total up weight over all rows of data/login.csv", { path: "data/login.csv", column: "weight" }],
      ["data/export.csv: grand total of the column amount", { path: "data/export.csv", column: "amount" }],
      ["how much do the weights in data/import.csv come to", { path: "data/import.csv", column: "weight" }],
      ["Please sum the amounts listed in data/cart.csv", { path: "data/cart.csv", column: "amount" }],
      ["add all values in the weight column, file data/stock.csv", { path: "data/stock.csv", column: "weight" }],
      ["I need the amounts of data/report.csv summed up", { path: "data/report.csv", column: "amount" }],
      ["calculate the column total for weight in data/chat.csv", { path: "data/chat.csv", column: "weight" }],
    ],
    expect: ({ path, column }, { files }) => readColumn(files[path], column).reduce((sum, each) => sum + each, 0),
  },
  {
    id: "largest value of a column",
    code: `const { content } = await mcp.fs.read({ path });
const [head, ...rows] = content.split("\\n").map((line) => line.split(","));
const at = head.indexOf(column);
return Math.max(...rows.map((row) => Number(row[at])));`,
    asked: [
      ["What is the largest amount in data/billing.csv?", { path: "data/billing.csv", column: "amount" }],
      ["maximum weight in data/mail.csv", { path: "data/mail.csv", column: "weight" }],
      ["Find the highest amount listed in data/search.csv", { path: "data/search.csv", column: "amount" }],
      ["biggest value of the column weight, data/login.csv", { path: "data/login.csv", column: "weight" }],
      ["data/export.csv: top amount?", { path: "data/export.csv", column: "amount" }],
      ["how heavy is the heaviest row of data/import.csv by weight", { path: "data/import.csv", column: "weight" }],
      ["Tell me the max of amount in data/cart.csv", { path: "data/cart.csv", column: "amount" }],
      ["which is the greatest weight in data/stock.csv", { path: "data/stock.csv", column: "weight" }],
      ["peak amount in data/report.csv please", { path: "data/report.csv", column: "amount" }],
      ["I want the maximum of the weight column of data/chat.csv", { path: "data/chat.csv", column: "weight" }],
    ],
    expect: ({ path, column }, { files }) => Math.max(...readColumn(files[path], column)),
  },
  {
    id: "files of a kind",
    code: `const { names } = await mcp.fs.list({ path: folder });
return names.filter((name) => name.endsWith("." + extension));`,
    asked: [
      ["Which .log files are there in logs?", { folder: "logs", extension: "log" }],
      ["list the csv files of the data folder", { folder: "data", extension: "csv" }],
      ["Show me every json file under config", { folder: "config", extension: "json" }],
      ["what files ending in log does the directory logs hold", { folder: "logs", extension: "log" }],
      ["names of all CSV files in data please", { folder: "data", extension: "csv" }],
      ["Find json files in the config directory", { folder: "config", extension: "json" }],
      ["folder logs: give me its .log files", { folder: "logs", extension: "log" }],
      ["I need a listing of files with extension csv in data", { folder: "data", extension: "csv" }],
      ["are there json files in config, and which", { folder: "config", extension: "json" }],
      ["enumerate the log files inside logs", { folder: "logs", extension: "log" }],
    ],
    expect: ({ folder, extension }, { files }) =>
      Object.keys(files)
        .filter((path) => path.startsWith(`${folder}/`) && path.endsWith(`.${extension}`))
        .map((path) => path.slice(`${folder}/`.length))
        .sort(),
  },
];

function lines(content = ""): string[] {
  return content.split("\n");
}

function readColumn(content: string | undefined, name: string): number[] {
  const [head = [], ...rows] = lines(content).map((line) => line.split(","));
  return rows.map((row) => Number(row[head.indexOf(name)]));
}
