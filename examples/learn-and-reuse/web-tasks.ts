import type { Task } from "./task.js";

/** What is asked of the office's web service. */
export const WEB_TASKS: readonly Task[] = [
  {
    id: "temperature of a city",
    code: `const weather = await mcp.http.get({ path: "/weather/" + city });
return weather.celsius;`,
    asked: [
      ["How warm is it in Oslo right now?", { city: "Oslo" }],
      ["current temperature in Lyon", { city: "Lyon" }],
      ["What's the temperature in Kyoto?", { city: "Kyoto" }],
      ["how many degrees does Nairobi have", { city: "Nairobi" }],
      ["Is it hot in Recife? Give me degrees", { city: "Recife" }],
      ["Toronto: degrees celsius at the moment", { city: "Toronto" }],
      ["tell me how cold it is in Turin", { city: "Turin" }],
      ["temperature reading for Gdansk please", { city: "Gdansk" }],
      ["what does the thermometer say in Lima", { city: "Lima" }],
      ["I'd like the present temperature of Pune", { city: "Pune" }],
    ],
    expect: ({ city }, { weather }) => weather[city]?.celsius,
  },
  {
    id: "rain tomorrow",
    code: `const { rainTomorrow } = await mcp.http.get({ path: "/weather/" + city });
return rainTomorrow > 50;`,
    asked: [
      ["Will it rain in Oslo tomorrow?", { city: "Oslo" }],
      ["is rain expected for tomorrow in Lyon", { city: "Lyon" }],
      ["Do I need an umbrella in Kyoto tomorrow?", { city: "Kyoto" }],
      ["tomorrow's rain outlook for Nairobi, yes or no", { city: "Nairobi" }],
      ["should we expect rain in Recife tomorrow", { city: "Recife" }],
      ["Toronto tomorrow: wet or dry?", { city: "Toronto" }],
      ["Can you tell me if it's going to rain in Turin tomorrow", { city: "Turin" }],
      ["rain forecast for Gdansk, tomorrow", { city: "Gdansk" }],
      ["is tomorrow going to be rainy in Lima", { city: "Lima" }],
      ["does the forecast say rain for Pune tomorrow?", { city: "Pune" }],
    ],
    expect: ({ city }, { weather }) => (weather[city]?.rainTomorrow ?? 0) > 50,
  },
  {
    id: "convert euros",
    code: `const { rate } = await mcp.http.get({ path: "/rates/" + currency });
return Math.round(amount * rate * 100) / 100;`,
    asked: [
      ["Convert 100 euros to USD", { amount: 100, currency: "USD" }],
      ["how much is 250 EUR in GBP", { amount: 250, currency: "GBP" }],
      ["What are 80 euros worth in JPY?", { amount: 80, currency: "JPY" }],
      ["change 40 euros into NOK", { amount: 40, currency: "NOK" }],
      ["I have 1200 euros, how many CHF do I get", { amount: 1200, currency: "CHF" }],
      ["600 euros expressed in BRL please", { amount: 600, currency: "BRL" }],
      ["exchange 75 euros for KES, what comes out?", { amount: 75, currency: "KES" }],
      ["Turn 300 EUR into CAD", { amount: 300, currency: "CAD" }],
      ["how many PLN would 55 euros make", { amount: 55, currency: "PLN" }],
      ["calculate 910 euros in INR", { amount: 910, currency: "INR" }],
    ],
    expect: ({ amount, currency }, { rates }) => Math.round(amount * (rates[currency] ?? 0) * 100) / 100,
  },
  {
    id: "exchange rate",
    code: `const answer = await mcp.http.get({ path: "/rates/" + currency });
return answer.rate;`,
    asked: [
      ["What is the exchange rate of USD?", { currency: "USD" }],
      ["current rate for GBP", { currency: "GBP" }],
      ["look up the JPY exchange rate", { currency: "JPY" }],
      ["At what rate does the euro trade against NOK?", { currency: "NOK" }],
      ["give me the CHF rate", { currency: "CHF" }],
      ["which rate do we use for BRL", { currency: "BRL" }],
      ["I need today's KES rate", { currency: "KES" }],
      ["rate of exchange for CAD please", { currency: "CAD" }],
      ["how does PLN stand against the euro", { currency: "PLN" }],
      ["tell me the euro's exchange rate to INR", { currency: "INR" }],
    ],
    expect: ({ currency }, { rates }) => rates[currency],
  },
  {
    id: "open a ticket",
    code: `return mcp.http.post({ path: "/tickets", body: { title, priority } });`,
    asked: [
      ["Open a ticket: printer is jammed, high priority", { title: "Printer is jammed", priority: "high" }],
      ["create a low priority ticket about the broken door", { title: "Broken door", priority: "low" }],
      ["File a ticket that the wifi is down. High priority.", { title: "Wifi is down", priority: "high" }],
      ["please raise a support ticket for the leaking tap, low", { title: "Leaking tap", priority: "low" }],
      ["New ticket, title Screen flickers, priority high", { title: "Screen flickers", priority: "high" }],
      ["report to the help desk that the heating is off, high", { title: "Heating is off", priority: "high" }],
      ["log a ticket with low priority: lamp on floor 2 is out", { title: "Lamp on floor 2 is out", priority: "low" }],
      ["I want to submit a ticket about the noisy fan, low priority", { title: "Noisy fan", priority: "low" }],
      ["make a high priority ticket because the server room is hot", { title: "Server room is hot", priority: "high" }],
      ["add a ticket: keyboard lost its E key, low prio", { title: "Keyboard lost its E key", priority: "low" }],
    ],
    expect: ({ title, priority }) => ({ created: true, title, priority }),
  },
  {
    id: "state of a ticket",
    code: `const found = await mcp.http.get({ path: "/tickets/" + ticket });
return found.state;`,
    asked: [
      ["What is the status of ticket T-101?", { ticket: "T-101" }],
      ["has T-102 been closed yet", { ticket: "T-102" }],
      ["Check on ticket T-103 for me", { ticket: "T-103" }],
      ["state of the ticket T-104", { ticket: "T-104" }],
      ["is ticket T-105 still open?", { ticket: "T-105" }],
      ["how is T-106 coming along, what state is the ticket in", { ticket: "T-106" }],
      ["Where does ticket T-107 stand?", { ticket: "T-107" }],
      ["give me the current status for ticket number T-108", { ticket: "T-108" }],
      ["look up whether ticket T-109 is open, waiting or closed", { ticket: "T-109" }],
      ["T-110 — ticket status?", { ticket: "T-110" }],
    ],
    expect: ({ ticket }, { tickets }) => tickets[ticket]?.state,
  },
];
