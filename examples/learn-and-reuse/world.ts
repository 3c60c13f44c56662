/** A small shop: what its tables, files and web service hold, so that every right answer can be worked out. */
export interface World {
  customers: Customer[];
  orders: Order[];
  products: Product[];
  files: Record<string, string>;
  weather: Record<string, { celsius: number; rainTomorrow: number }>;
  /** How much of each currency a euro buys. */
  rates: Record<string, number>;
  tickets: Record<string, { title: string; state: string; priority: string }>;
}

interface Customer {
  email: string;
  country: string;
  since: string;
}

interface Order {
  id: number;
  email: string;
  product: string;
  quantity: number;
  day: string;
}

interface Product {
  name: string;
  price: number;
  stock: number;
}

const COUNTRIES = ["Norway", "France", "Japan", "Kenya", "Brazil", "Canada", "Italy", "Poland", "Chile", "India"];
const PRODUCTS = ["kettle", "lamp", "desk", "chair", "blanket", "teapot", "mirror", "carpet", "shelf", "clock"];
const FIRST_NAMES = ["ada", "bo", "cleo", "dan", "eve", "finn", "gus", "hana", "ines", "jo"];

/** The same one every time. */
export function createWorld(): World {
  const customers = FIRST_NAMES.flatMap((first, row) =>
    [0, 1, 2].map((copy) => ({
      email: `${first}${copy === 0 ? "" : copy}@example.org`,
      country: COUNTRIES[(row * 3 + copy * copy) % COUNTRIES.length] ?? "",
      since: `202${row % 5}-0${copy + 1}-1${row}`,
    })),
  );
  const products = PRODUCTS.map((name, row) => ({ name, price: 10 + 7 * row, stock: (row * 13) % 40 }));
  const orders = Array.from({ length: 120 }, (_, id) => ({
    id: id + 1,
    email: customers[(id * 7) % customers.length]?.email ?? "",
    product: PRODUCTS[(id * id + 3 * id) % PRODUCTS.length] ?? "",
    quantity: 1 + (id % 4),
    day: `2025-${pad(1 + (id % 12))}-${pad(1 + ((id * 5) % 28))}`,
  }));
  return {
    customers,
    products,
    orders,
    files: createFiles(),
    weather: Object.fromEntries(
      ["Oslo", "Lyon", "Kyoto", "Nairobi", "Recife", "Toronto", "Turin", "Gdansk", "Lima", "Pune"].map((city, row) => [
        city,
        { celsius: 3 * row - 4, rainTomorrow: (row * 37) % 100 },
      ]),
    ),
    rates: { USD: 1.08, GBP: 0.85, JPY: 160, NOK: 11.5, CHF: 0.96, BRL: 5.9, KES: 140, CAD: 1.48, PLN: 4.3, INR: 90 },
    tickets: Object.fromEntries(
      Array.from({ length: 12 }, (_, row) => [
        `T-${100 + row}`,
        {
          title: `Problem ${row}`,
          state: ["open", "waiting", "closed"][row % 3] ?? "",
          priority: row % 2 === 0 ? "low" : "high",
        },
      ]),
    ),
  };
}

const SERVICES = ["billing", "mail", "search", "login", "export", "import", "cart", "stock", "report", "chat"];

function createFiles(): World["files"] {
  const logs = SERVICES.map((name, row) => {
    const lines = Array.from({ length: 20 + 3 * row }, (_, line) =>
      (line * (row + 2)) % 7 === 0 ? `ERROR step ${line} failed` : `INFO step ${line} done`,
    );
    return [`logs/${name}.log`, lines.join("\n")];
  });
  const settings = SERVICES.map((name, row) => {
    const content = { port: 8000 + row, timeout: 5 * (row + 1), host: `${name}.local`, retries: row % 4 };
    return [`config/${name}.json`, JSON.stringify(content, null, 2)];
  });
  const tables = SERVICES.map((name, row) => {
    const rows = Array.from({ length: 5 + row }, (_, line) => `${line},${line * (row + 1)},${10 * line + row}`);
    return [`data/${name}.csv`, ["id,amount,weight", ...rows].join("\n")];
  });
  return Object.fromEntries([...logs, ...settings, ...tables]) as World["files"];
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
