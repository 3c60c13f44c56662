import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { KnownSecrets } from "./known-secrets.js";
import { createRedaction } from "./redact.js";
import { REDACTED } from "./secret-patterns.js";

const redact = createRedaction();
const S = "hunter2-Zq8";

describe("names of fields", () => {
  it.each(
    `password Password PASSWORD userPassword user_password db-password DB_PASSWORD passwd pwd passphrase
     secret clientSecret client_secret AWS_SECRET_ACCESS_KEY secrets apiKey api_key API_KEY x-api-key apikey accessKey
     privateKey private_key privateKeyPem signingKey encryption_key sessionKey token accessToken access_token
     refreshToken id_token githubToken GITHUB_TOKEN x-auth-token tokens authorization Authorization
     Proxy-Authorization cookie Set-Cookie cookies credentials awsCredentials otp`.split(/\s+/),
  )("hides what stands under %s", (name) => {
    expect(redact({ [name]: S, other: 1 })).toEqual({ [name]: REDACTED, other: 1 });
  });

  it.each(
    `nextPageToken next_token pageToken continuationToken syncToken maxTokens total_tokens key keyboard monkey publicKey
     primaryKey passport passed secretary author authorName cookieConsentVersion tokenizer keys id`.split(/\s+/),
  )("leaves what stands under %s", (name) => {
    const value = { [name]: "a usual value" };
    expect(redact(value)).toBe(value);
  });

  it("leaves numbers and booleans, which say how many or whether", () => {
    const value = { token: 3, password: true, secret: null, cookie: "" };
    expect(redact(value)).toBe(value);
  });
});

const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${"d".repeat(43)}`;
const PEM = `-----BEGIN RSA PRIVATE KEY-----\nMIIEow${"A1".repeat(30)}\n-----END RSA PRIVATE KEY-----`;

describe("texts", () => {
  it.each([
    ["an API key", `use sk-proj-${"a1B2".repeat(8)} please`, `use ${REDACTED} please`],
    ["another maker's", `sk-ant-${"a1B2".repeat(8)}`, REDACTED],
    ["a payment key", `rk_live_${"a1B2".repeat(8)}`, REDACTED],
    ["a GitHub token", `ghp_${"a1".repeat(18)}`, REDACTED],
    ["a fine-grained one", `github_pat_${"a1_".repeat(20)}`, REDACTED],
    ["a GitLab token", `glpat-${"a1".repeat(12)}`, REDACTED],
    ["an npm token", `npm_${"a1".repeat(18)}`, REDACTED],
    ["a Slack token", "xoxb-1234567890-abcdef", REDACTED],
    ["an AWS key id", "AKIAIOSFODNN7EXAMPLE", REDACTED],
    ["a Google key", `AIza${"a1".repeat(17)}x`, REDACTED],
    ["a JWT", `token is ${JWT}.`, `token is ${REDACTED}.`],
    ["a private key", `before\n${PEM}\nafter`, `before\n${REDACTED}\nafter`],
    ["a private key cut off", `x ${PEM.slice(0, 60)}`, `x ${REDACTED}`],
    ["a bearer header", "Authorization: Bearer abcdefghij0123456789", `Authorization: Bearer ${REDACTED}`],
    ["a basic header", "authorization: Basic dXNlcjpwYXNz", `authorization: Basic ${REDACTED}`],
    ["the password of a URL", `postgres://me:${S}@db:5432/x`, `postgres://me:${REDACTED}@db:5432/x`],
    ["one with a colon and an @", "https://me:a:b@c@host/x", `https://me:${REDACTED}@host/x`],
    ["one without a user", `redis://:${S}@host`, `redis://:${REDACTED}@host`],
    ["the query of a URL", `https://x.y/z?a=1&api_key=${S}&b=2`, `https://x.y/z?a=1&api_key=${REDACTED}&b=2`],
    ["the fragment of a URL", `https://x.y/#access_token=${S}&t=1`, `https://x.y/#access_token=${REDACTED}&t=1`],
    ["a signed URL", `https://s3/x?X-Amz-Signature=${S}`, `https://s3/x?X-Amz-Signature=${REDACTED}`],
    ["a form", `password=${S}&user=me`, `password=${REDACTED}&user=me`],
    ["JSON in a text", `got {"password": "${S}", "a": 1}`, `got {"password": "${REDACTED}", "a": 1}`],
    ["JSON in JSON", `"{\\"apiKey\\":\\"${S}\\"}"`, `"{\\"apiKey\\":\\"${REDACTED}\\"}"`],
    ["code", `login({ password: '${S}' })`, `login({ password: '${REDACTED}' })`],
  ])("hides %s", (_, text, clean) => {
    expect(redact(text)).toBe(clean);
    expect(redact({ deep: [{ text }] })).toEqual({ deep: [{ text: clean }] });
  });

  it.each([
    "sk-learn-based-classification-pipeline",
    "const password = args.password; await mcp.auth.login({ password, token: ctx.token });",
    "https://example.com/a?page=2&sort=asc#top",
    "risk_assessment_of_the_whole_portfolio_2024",
    "mail me@example.com about http://host:8080/path",
    "the password field is required",
  ])("leaves %s", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("schemas", () => {
  const schema = {
    type: "object",
    $defs: { card: { type: "object", properties: { number: { type: "string", "x-secret": true } } } },
    properties: {
      pin: { type: "integer", "x-secret": true },
      login: { type: "object", properties: { word: { type: "string", format: "password" }, user: { type: "string" } } },
      cards: { type: "array", items: { $ref: "#/$defs/card" } },
      either: { anyOf: [{ type: "string" }, { type: "string", writeOnly: true }] },
      free: { type: "object", additionalProperties: { writeOnly: true } },
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "string", "x-secret": true }] },
      open: { type: "string" },
    },
  };

  it.each([
    [{ pin: 4711 }, { pin: REDACTED }],
    [{ login: { word: S, user: "me" } }, { login: { word: REDACTED, user: "me" } }],
    [
      { cards: [{ number: "4111" }, { number: "4222", name: "x" }] },
      { cards: [{ number: REDACTED }, { number: REDACTED, name: "x" }] },
    ],
    [{ either: S }, { either: REDACTED }],
    [{ free: { any: S } }, { free: { any: REDACTED } }],
    [{ pair: ["a", S] }, { pair: ["a", REDACTED] }],
    [{ open: "x" }, { open: "x" }],
  ])("hides what one marks in %j", (value, clean) => {
    expect(redact<unknown>(value, { schema })).toEqual(clean);
  });

  it("hides all of a value that is secret as a whole, and ends for a schema that refers to itself", () => {
    expect(redact(S, { schema: { type: "string", writeOnly: true } })).toBe(REDACTED);
    const tree = { properties: { next: { $ref: "#" }, key: { "x-secret": true } }, allOf: [{ $ref: "#" }] };
    expect(redact<unknown>({ next: { next: { key: 1 } } }, { schema: tree })).toEqual({
      next: { next: { key: REDACTED } },
    });
  });
});

describe("what was secret once", () => {
  it("is secret in every text after that, and in the same value before it", () => {
    const secrets = new KnownSecrets();
    expect(redact({ note: `it is ${S}!`, password: S }, { secrets })).toEqual({
      note: `it is ${REDACTED}!`,
      password: REDACTED,
    });
    expect(redact(`failed for ${S}`, { secrets })).toBe(`failed for ${REDACTED}`);
    redact({ pin: 4711 }, { secrets, schema: { properties: { pin: { "x-secret": true } } } });
    expect(redact<unknown>([4711, 4712], { secrets })).toEqual([REDACTED, 4712]);
  });

  it.each([
    ["a PIN alone, not in a longer number", 4711, "pin 4711, not 84711", `pin ${REDACTED}, not 84711`],
    ["as it stands in a URL", "a b/c&d?e=f", "x?q=a%20b%2Fc%26d%3Fe%3Df", `x?q=${REDACTED}`],
    ["as it stands in JSON", 'quote"quote', '{"a":"quote\\"quote"}', `{"a":"${REDACTED}"}`],
    ["without the word before it", "Bearer abcdefgh", "got abcdefgh", `got ${REDACTED}`],
    ["characters of patterns", "a.b*c(d)[e]{f}|\\^$+?/-", "(a.b*c(d)[e]{f}|\\^$+?/-)", `(${REDACTED})`],
  ])("is found %s", (_, secret, text, clean) => {
    const secrets = new KnownSecrets();
    redact(secret, { schema: { "x-secret": true }, secrets });
    expect(redact(text, { secrets })).toBe(clean);
  });
});

describe("any value", () => {
  it("comes back the same when it holds no secret", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = redact(value);
        expect(redact(once)).toBe(once);
      }),
    );
  });

  it("is looked through in maps, sets, errors, objects of a class and names of fields", () => {
    const key = `ghp_${"a1".repeat(18)}`;
    class Holder {
      password = S;
    }
    expect(redact(new Map([["password", S]]))).toEqual(new Map([["password", REDACTED]]));
    expect(redact(new Set([key]))).toEqual(new Set([REDACTED]));
    expect(redact<unknown>(new Holder())).toEqual({ password: REDACTED });
    expect(redact(Object.assign(Object.create(null), { token: S }))).toEqual({ token: REDACTED });
    expect(redact({ [key]: 1 })).toEqual({ [REDACTED]: 1 });
    const error = redact(new Error(`bad ${key}`, { cause: { password: S } }));
    expect(error).toMatchObject({ message: `bad ${REDACTED}`, cause: { password: REDACTED } });
    expect(error.stack).not.toContain(key);
  });

  it("ends for values that lead back to themselves, or share so much that paths through them cannot be counted", () => {
    const round: Record<string, unknown> = { password: S };
    round["self"] = round;
    expect(redact(round)).toMatchObject({ password: REDACTED });
    let shared: unknown = { password: S };
    for (let level = 0; level < 80; level++) shared = { left: shared, right: shared };
    expect(JSON.stringify((redact(shared) as { left: unknown }).left === undefined)).toBe("false");
  });
});

describe("hostile texts of 100 kB", () => {
  const N = 100_000;
  const fill = (part: string): string => part.repeat(Math.ceil(N / part.length)).slice(0, N);
  it.each([
    ["beginnings of keys", fill("-----BEGIN PRIVATE KEY-----")],
    ["one long beginning", `-----BEGIN ${fill("A ")}`],
    ["beginnings of JWTs", fill("eyJaaaaaaaaaa-")],
    ["halves of JWTs", fill("eyJaaaaaaaaaa.eyJaaaaaaaaaa-")],
    ["prefixes of API keys", fill("sk-")],
    ["one long API key without a digit", `sk-${fill("a-")}`],
    ["URLs without an end", fill("://a:")],
    ["one long URL", `://${fill("a:")}`],
    ["names without values", fill("password:")],
    ["names and spaces", fill("password   =   ")],
    ["one long name", fill("a_")],
    ["dots and dashes", fill(".-")],
    ["queries", fill("?a&b;c#d_token")],
    ["quotes", fill('password:"')],
    ["backslashes", fill('password\\\\\\":\\\\\\"')],
    ["bearers", fill("Bearer ")],
    ["spaces", fill(" ")],
    ["authorizations", fill("authorization: basic ")],
    ["SG", fill("SG.aaaaaaaaaaaaaaaaaaaa.")],
  ])("take time in proportion to their length: %s", (_, text) => {
    redact(text);
    const startedAt = performance.now();
    redact(text);
    redact({ [text]: text });
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });

  it("takes no longer with many known secrets", () => {
    const secrets = new KnownSecrets();
    for (let at = 0; at < 400; at++) secrets.add(`aaaaaaaaaaaaaaaa${at}`);
    const startedAt = performance.now();
    redact("a".repeat(N), { secrets });
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });
});
