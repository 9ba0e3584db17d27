import * as z from "zod/mini";
import { ask, describeResponse, read } from "./ask.ts";
import { findingsOf, type Check } from "./means.ts";

const labels = z.object({ payload: z.array(z.object({ title: z.string() })) });

/** Chatwoot's token, and the label that conversations get. */
export const checkChat: Check = async (means) => {
  const { right, wrong, unasked } = findingsOf("chat");
  const { chat, productName } = means.config;
  if (!chat) return [unasked("Chatwoot's settings aren't all at hand: there is no chat")];
  if (!chat.api)
    return [
      unasked(
        "without CHATWOOT_ACCOUNT_ID and CHATWOOT_API_TOKEN nobody can look, and deleted accounts keep their contact",
      ),
    ];
  const asked = await ask(means, `${chat.url}/api/v1/accounts/${chat.api.accountId}/labels`, {
    headers: { api_access_token: chat.api.apiToken },
  });
  if (asked.status === 401 || asked.status === 404)
    return [wrong("Chatwoot doesn't know CHATWOOT_API_TOKEN in CHATWOOT_ACCOUNT_ID: put an administrator's")];
  const listed = asked.status === 200 ? read(labels, asked.body) : null;
  if (!listed) return [wrong(`Chatwoot ${describeResponse(asked)}: look at CHATWOOT_URL and at the server`)];
  const wanted = productName.toLowerCase();
  return [
    right("Chatwoot knows the token"),
    listed.payload.some(({ title }) => title === wanted)
      ? right(`it has the label ${wanted}`)
      : wrong(`it lacks the label ${wanted}, and drops it from conversations: make it in Settings, Labels`),
  ];
};
