import { createScheduledController, env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import type { UndoResponse } from "../../../worker/contract/account/security.ts";
import worker from "../../../worker/index.ts";
import {
  callPool,
  embedded,
  newPhone,
  PASSWORD,
  signInMember,
  signUpMember,
  textedCode,
  type Member,
} from "../embedded-pool.ts";
import { advanceClock, apiTarget, createDriver, resetPlatform } from "../harness.ts";

const DAY_MS = 86_400_000;
const NEW_PASSWORD = "Other-2-password";

beforeEach(() => resetPlatform());

async function registerMember(language = "en"): Promise<Member> {
  const member = await signUpMember();
  const { client, phoneNumber } = member;
  await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
  await client.sealed("PATCH", "/flex/v1/user", { language, updateLanguage: true });
  return member;
}

async function textsTo(phoneNumber: string): Promise<string[]> {
  const response = await apiTarget.fetch(
    `${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`,
  );
  const { messages } = await response.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

/** The token in the link of the newest text to a number. */
async function tokenFor(phoneNumber: string): Promise<string> {
  const [newest = ""] = await textsTo(phoneNumber);
  return /\/undo#([\w-]{22})$/.exec(newest)?.[1] ?? `none in: ${newest}`;
}

/** How many rows of a table are of a number or its owner. */
async function rowsOf(table: string, phoneNumber: string): Promise<unknown> {
  const where = table === "account_changes" ? "1" : "phone_number = ?1";
  const query = env.DB.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${where}`);
  return (table === "account_changes" ? query : query.bind(phoneNumber)).first("count");
}

function undo(method: string, token: string): Promise<Response> {
  return embedded.fetch(`${embedded.origin}/flex/v1/undo`, {
    method,
    headers: { authorization: `Undo ${token}` },
  });
}

const changePassword = ({ accessToken: AccessToken }: Member, from = PASSWORD, to = NEW_PASSWORD) =>
  callPool("ChangePassword", { AccessToken, PreviousPassword: from, ProposedPassword: to });

async function changePhone({ accessToken: AccessToken }: Member, to: string): Promise<void> {
  const UserAttributes = [{ Name: "phone_number", Value: to }];
  await callPool("UpdateUserAttributes", { AccessToken, UserAttributes });
  const Code = await textedCode(to);
  const verify = { AccessToken, AttributeName: "phone_number", Code };
  expect((await callPool("VerifyUserAttribute", verify)).status).toBe(200);
}

async function resetPassword(Username: string): Promise<number> {
  await callPool("ForgotPassword", { Username });
  const ConfirmationCode = await textedCode(Username);
  const { status } = await callPool("ConfirmForgotPassword", {
    Username,
    ConfirmationCode,
    Password: "Third-3-password",
  });
  return status;
}

const startSignIn = (USERNAME: string, password: string) =>
  callPool("InitiateAuth", {
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME, PASSWORD: password },
  });

describe("the owner of an account", () => {
  it("hears of a changed password in the language of the record, and gets the account back by the link", async () => {
    const member = await registerMember("pt");
    await changePassword(member);
    expect((await textsTo(member.phoneNumber))[0]).toMatch(
      /^Jornada: a senha da sua conta mudou\. Se foi outra pessoa, reverta em uma semana: http/,
    );
    const token = await tokenFor(member.phoneNumber);
    const change = await (await undo("GET", token)).json<UndoResponse>();
    expect(change).toEqual({
      kind: "password",
      changedAt: expect.any(Number),
      expiresAt: change.changedAt + 7 * DAY_MS,
      phoneEnd: member.phoneNumber.slice(-4),
      language: "pt",
    });
    expect((await undo("POST", token)).status).toBe(204);
    expect((await member.client.call("GET", "/flex/v1/user")).status).toBe(401);
    for (const password of [PASSWORD, NEW_PASSWORD]) {
      const { body } = await startSignIn(member.phoneNumber, password);
      expect(body["__type"]).toBe("PasswordResetRequiredException");
    }
    expect(await resetPassword(member.phoneNumber)).toBe(200);
    const { idToken } = await signInMember(member.phoneNumber, "Third-3-password");
    expect(idToken).toMatch(/^ey/);
  });

  it("gets the number back from whoever took it, with the record, and theirs ends", async () => {
    const member = await registerMember();
    const stolen = newPhone();
    await changePhone(member, stolen);
    expect((await textsTo(member.phoneNumber))[0]).toContain("your sign-in number was changed");
    const token = await tokenFor(member.phoneNumber);
    expect(await (await undo("GET", token)).json()).toMatchObject({ kind: "phone" });
    // The thief goes on: a password of their own, told to their number.
    await changePassword(member);
    const thiefsLink = await tokenFor(stolen);
    expect((await undo("POST", token)).status).toBe(204);
    expect((await startSignIn(stolen, NEW_PASSWORD)).body["__type"]).toBe("NotAuthorizedException");
    expect((await undo("POST", thiefsLink)).status).toBe(410);
    expect(await resetPassword(member.phoneNumber)).toBe(200);
    const sql = `SELECT u.phone_number AS record, p.phone_number AS account FROM users u JOIN pool_users p USING (id) WHERE id = ?`;
    const row = await env.DB.prepare(sql).bind(member.driverId).first();
    expect(row).toEqual({ record: member.phoneNumber, account: member.phoneNumber });
  });

  it("gets the account back also after the thief has undone a change with a link of their own", async () => {
    const member = await registerMember();
    const stolen = newPhone();
    await changePhone(member, stolen);
    const token = await tokenFor(member.phoneNumber);
    expect(await resetPassword(stolen)).toBe(200);
    const thiefsLink = await tokenFor(stolen);
    expect((await undo("POST", thiefsLink)).status).toBe(204);
    const texts = await textsTo(stolen);
    expect((await undo("POST", token)).status).toBe(204);
    expect(await resetPassword(member.phoneNumber)).toBe(200);
    expect((await undo("POST", thiefsLink)).status).toBe(410);
    expect(await textsTo(stolen)).toEqual(texts);
    expect(await signInMember(member.phoneNumber, "Third-3-password")).toHaveProperty("idToken");
  });

  it("hears of a reset, and of nothing that was refused", async () => {
    const member = await registerMember();
    expect(await resetPassword(member.phoneNumber)).toBe(200);
    expect((await textsTo(member.phoneNumber))[0]).toContain("your password was changed");
    const link = await tokenFor(member.phoneNumber);
    expect(await (await undo("GET", link)).json()).toMatchObject({ kind: "password" });
    const before = await textsTo(member.phoneNumber);
    await changePassword(member, "Wrong-1-password");
    const AccessToken = member.accessToken;
    await callPool("VerifyUserAttribute", { AccessToken, AttributeName: "phone_number", Code: "000000" });
    expect(await textsTo(member.phoneNumber)).toEqual(before);
  });

  it.each(["the protocol", "the API"])("is told that the account was deleted, for good: %s", async (door) => {
    const member = await registerMember("es");
    const { accessToken: AccessToken, client } = member;
    if (door === "the API") await client.call("DELETE", "/flex/v1/user");
    else await callPool("DeleteUser", { AccessToken });
    expect((await textsTo(member.phoneNumber))[0]).toMatch(
      /^Jornada: tu cuenta ya no existe, y no se puede deshacer\. .*\/contact$/,
    );
    const { results } = await env.DB.prepare(`SELECT * FROM pool_notices WHERE user_id = ?`)
      .bind(member.driverId)
      .all();
    expect(results).toEqual([]);
  });

  it("hears of a deletion where another pool signs drivers in", async () => {
    const { client, phoneNumber } = await createDriver();
    expect((await client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    // The text leaves after the answer.
    await expect
      .poll(() => textsTo(phoneNumber))
      .toEqual([expect.stringContaining("your account was deleted")]);
    for (const rest of ["pool_notices", "account_changes", "sent_texts"])
      await expect.poll(() => rowsOf(rest, phoneNumber)).toBe(0);
  });

  it("hears of a deletion later where the text failed, and a registration meanwhile stays", async () => {
    const { client, phoneNumber, driverId } = await createDriver();
    const fault = { operation: "sendMessage", fault: "429", times: 1 };
    await apiTarget.fetch(`${apiTarget.origin}/sandbox/faults`, {
      method: "POST",
      body: JSON.stringify(fault),
    });
    const isPostponed = () =>
      env.DB.prepare(`SELECT is_deleted FROM account_changes WHERE user_id = ?`)
        .bind(driverId)
        .first("is_deleted");
    expect((await client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    await expect.poll(isPostponed).toBe(0);
    await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
    for (let minute = 0; minute < 3; minute += 1) {
      advanceClock(61_000);
      await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);
    }
    expect(
      (await textsTo(phoneNumber)).filter((text) => text.includes("your account was deleted")),
    ).toHaveLength(1);
    expect((await client.call("GET", "/flex/v1/user")).status).toBe(200);
  });
});

it("sends a minute later, once, the text that failed at first", async () => {
  const member = await registerMember();
  const fault = { operation: "sendMessage", fault: "429", times: 1 };
  await apiTarget.fetch(`${apiTarget.origin}/sandbox/faults`, {
    method: "POST",
    body: JSON.stringify(fault),
  });
  const before = (await textsTo(member.phoneNumber)).length;
  await changePassword(member);
  expect(await textsTo(member.phoneNumber)).toHaveLength(before);
  for (let minute = 0; minute < 3; minute += 1) {
    advanceClock(61_000);
    await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);
  }
  expect(await textsTo(member.phoneNumber)).toHaveLength(before + 1);
  expect((await undo("GET", await tokenFor(member.phoneNumber))).status).toBe(200);
});

it("has its password changed five times in an hour at most, since each is texted", async () => {
  const member = await registerMember();
  const passwords = Array.from({ length: 7 }, (_, index) =>
    index === 0 ? PASSWORD : `Other-${index}-password`,
  );
  const types: unknown[] = [];
  for (let index = 0; index < 6; index += 1) {
    types.push((await changePassword(member, passwords[index], passwords[index + 1])).body["__type"]);
  }
  expect(types).toEqual([undefined, undefined, undefined, undefined, undefined, "LimitExceededException"]);
});

describe("a link", () => {
  it("works once, for seven days, and not by guessing", async () => {
    const member = await registerMember();
    await changePassword(member);
    const token = await tokenFor(member.phoneNumber);
    const codeOf = async (response: Response) => (await response.json<ErrorResponse>()).code;
    for (const forged of [`${token}A`, token.slice(1), "x"]) {
      const response = await undo("POST", forged);
      expect([response.status, await codeOf(response)]).toEqual([410, "undo_expired"]);
    }
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    expect((await member.client.call("POST", "/flex/v1/undo", bearer)).status).toBe(401);
    expect((await member.client.call("POST", "/flex/v1/undo")).status).toBe(401);
    await env.DB.prepare(`UPDATE pool_notices SET expires_at = ? WHERE user_id = ?`)
      .bind(Date.now() - 1, member.driverId)
      .run();
    expect((await undo("POST", token)).status).toBe(410);
    await env.DB.prepare(`UPDATE pool_notices SET expires_at = ? WHERE user_id = ?`)
      .bind(Date.now() + 60_000, member.driverId)
      .run();
    expect((await undo("POST", token)).status).toBe(204);
    expect((await undo("POST", token)).status).toBe(410);
  });

  it("takes no number from its next owner", async () => {
    const member = await registerMember();
    await changePhone(member, newPhone());
    const token = await tokenFor(member.phoneNumber);
    await signUpMember(member.phoneNumber);
    expect((await undo("POST", token)).status).toBe(409);
    expect((await member.client.call("GET", "/flex/v1/user")).status).toBe(200);
  });

  it("is stored as a hash, and never logged", async () => {
    const member = await registerMember();
    await changePassword(member);
    const token = await tokenFor(member.phoneNumber);
    const { results } = await env.DB.prepare(`SELECT * FROM pool_notices`).all();
    expect(JSON.stringify(results)).not.toContain(token);
  });
});
