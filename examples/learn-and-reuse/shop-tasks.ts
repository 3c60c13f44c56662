import type { Task } from "./task.js";

/** What is asked of the shop's tables. */
export const SHOP_TASKS: readonly Task[] = [
  {
    id: "customers of a country",
    code: `const { rows } = await mcp.db.query({ sql: "select count(*)::int as n from customers where country = $1", values: [country] });
return rows[0].n;`,
    asked: [
      ["How many customers do we have in Norway?", { country: "Norway" }],
      ["number of customers living in France", { country: "France" }],
      ["Count our Japanese customers please", { country: "Japan" }],
      ["In Kenya, how many people are customers of ours?", { country: "Kenya" }],
      ["I need the customer count for Brazil", { country: "Brazil" }],
      ["how big is our customer base in Canada", { country: "Canada" }],
      ["Tell me how many customers come from Italy.", { country: "Italy" }],
      ["Poland: customer headcount?", { country: "Poland" }],
      ["Could you check how many customers are registered in Chile?", { country: "Chile" }],
      ["what's the total of customers in India", { country: "India" }],
    ],
    expect: ({ country }, { customers }) => customers.filter((each) => each.country === country).length,
  },
  {
    id: "revenue of a country",
    code: `const result = await mcp.db.query({
  sql: "select coalesce(sum(o.quantity * p.price), 0)::int as revenue from orders o join customers c on c.email = o.email join products p on p.name = o.product where c.country = $1",
  values: [args.country],
});
return result.rows[0].revenue;`,
    asked: [
      ["How much revenue did we make in France?", { country: "France" }],
      ["total sales for Norway", { country: "Norway" }],
      ["What have customers in Japan spent with us altogether?", { country: "Japan" }],
      ["Give me the turnover of Kenya", { country: "Kenya" }],
      ["how much money came in from Brazil", { country: "Brazil" }],
      ["Revenue from orders placed in Canada, please", { country: "Canada" }],
      ["sum up what we sold in Italy", { country: "Italy" }],
      ["Poland's sales volume in euros?", { country: "Poland" }],
      ["I'd like to know our income from Chile", { country: "Chile" }],
      ["what did we earn in India so far", { country: "India" }],
    ],
    expect: ({ country }, { orders, customers, products }) =>
      orders
        .filter(({ email }) => customers.some((each) => each.email === email && each.country === country))
        .reduce(
          (sum, each) => sum + each.quantity * (products.find(({ name }) => name === each.product)?.price ?? 0),
          0,
        ),
  },
  {
    id: "orders of a customer",
    code: `const { rows } = await mcp.db.query({ sql: "select id from orders where email = $1 order by id", values: [email] });
return rows.map((row) => row.id);`,
    asked: [
      ["List the orders of ada@example.org", { email: "ada@example.org" }],
      ["which orders has bo@example.org placed", { email: "bo@example.org" }],
      ["Show me everything cleo@example.org has ordered", { email: "cleo@example.org" }],
      ["order numbers for dan@example.org please", { email: "dan@example.org" }],
      ["I want to see all orders from the customer eve@example.org", { email: "eve@example.org" }],
      ["What are the order ids of finn@example.org?", { email: "finn@example.org" }],
      ["get me gus@example.org's order list", { email: "gus@example.org" }],
      ["pull up the order history for hana@example.org", { email: "hana@example.org" }],
      ["Find all purchases made by ines@example.org", { email: "ines@example.org" }],
      ["jo@example.org — what orders do we have on file?", { email: "jo@example.org" }],
    ],
    expect: ({ email }, { orders }) => orders.filter((each) => each.email === email).map(({ id }) => id),
  },
  {
    id: "last order of a customer",
    code: `const { rows } = await mcp.db.query({ sql: "select max(day) as day from orders where email = $1", values: [email] });
return rows[0].day;`,
    asked: [
      ["When did bo@example.org last order something?", { email: "bo@example.org" }],
      ["date of the most recent order by ada@example.org", { email: "ada@example.org" }],
      ["What day was cleo@example.org's latest purchase?", { email: "cleo@example.org" }],
      ["how long ago did dan@example.org buy from us, give me the date", { email: "dan@example.org" }],
      ["I need the day of the last order of eve@example.org", { email: "eve@example.org" }],
      ["finn@example.org: last time they bought anything?", { email: "finn@example.org" }],
      ["Tell me when gus@example.org placed the newest order", { email: "gus@example.org" }],
      ["latest order date for hana@example.org", { email: "hana@example.org" }],
      ["On which date did we last sell to ines@example.org?", { email: "ines@example.org" }],
      ["when was the most recent purchase of jo@example.org", { email: "jo@example.org" }],
    ],
    expect: ({ email }, { orders }) =>
      orders
        .filter((each) => each.email === email)
        .map(({ day }) => day)
        .sort()
        .at(-1) ?? null,
  },
  {
    id: "products low in stock",
    code: `const { rows } = await mcp.db.query({ sql: "select name from products where stock < $1 order by name", values: [limit] });
return rows.map(({ name }) => name);`,
    asked: [
      ["Which products have fewer than 5 pieces left?", { limit: 5 }],
      ["what is running out, below 10 in stock", { limit: 10 }],
      ["List articles with stock under 8", { limit: 8 }],
      ["Show products we have less than 12 of", { limit: 12 }],
      ["stock below 15: which items?", { limit: 15 }],
      ["I need to reorder whatever has under 20 units left", { limit: 20 }],
      ["give me all items with fewer than 25 on hand", { limit: 25 }],
      ["Any products with a stock level lower than 3?", { limit: 3 }],
      ["find the products that are almost sold out, 6 or less... under 6", { limit: 6 }],
      ["what do we have less than 30 pieces of in the warehouse?", { limit: 30 }],
    ],
    expect: ({ limit }, { products }) =>
      products
        .filter(({ stock }) => stock < limit)
        .map(({ name }) => name)
        .sort(),
  },
  {
    id: "price of a product",
    code: `const { rows } = await mcp.db.query({ sql: "select price from products where name = $1", values: [product] });
return rows[0]?.price;`,
    asked: [
      ["What does a kettle cost?", { product: "kettle" }],
      ["price of the lamp", { product: "lamp" }],
      ["How much is a desk?", { product: "desk" }],
      ["how expensive are our chairs", { product: "chair" }],
      ["Tell me the blanket's price", { product: "blanket" }],
      ["I'd like to know what we charge for the teapot", { product: "teapot" }],
      ["look up the price of mirror", { product: "mirror" }],
      ["what's the carpet going for", { product: "carpet" }],
      ["Price check: shelf", { product: "shelf" }],
      ["what do customers pay for a clock", { product: "clock" }],
    ],
    expect: ({ product }, { products }) => products.find(({ name }) => name === product)?.price,
  },
  {
    id: "price in another currency",
    code: `const { rows } = await mcp.db.query({ sql: "select price from products where name = $1", values: [product] });
const { rate } = await mcp.http.get({ path: "/rates/" + currency });
return Math.round(rows[0].price * rate * 100) / 100;`,
    asked: [
      ["What does a kettle cost in USD?", { product: "kettle", currency: "USD" }],
      ["price of the lamp in GBP", { product: "lamp", currency: "GBP" }],
      ["How many JPY is a desk?", { product: "desk", currency: "JPY" }],
      ["Quote me the chair in NOK", { product: "chair", currency: "NOK" }],
      ["blanket price, converted to CHF", { product: "blanket", currency: "CHF" }],
      ["A customer pays in BRL: what is the teapot then?", { product: "teapot", currency: "BRL" }],
      ["how much is the mirror in Kenyan shillings (KES)", { product: "mirror", currency: "KES" }],
      ["Give the cost of a carpet in CAD", { product: "carpet", currency: "CAD" }],
      ["shelf price expressed in PLN please", { product: "shelf", currency: "PLN" }],
      ["what would the clock be in INR", { product: "clock", currency: "INR" }],
    ],
    expect: ({ product, currency }, { products, rates }) =>
      Math.round((products.find(({ name }) => name === product)?.price ?? 0) * (rates[currency] ?? 0) * 100) / 100,
  },
];
