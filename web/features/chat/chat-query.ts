import { queryOptions } from "@tanstack/react-query";
import { chatResponse, type ChatResponse } from "../../../worker/contract/voice.ts";
import { api } from "../../api/client/client.ts";
import { parseResponse } from "../../api/client/request.ts";
import type { ApiResponse } from "../../api/client/request-error.ts";

/** The driver's identity in the support chat; null if it isn't offered to them. */
export const chatQuery = queryOptions({
  queryKey: ["chat"],
  queryFn: async (): Promise<ChatResponse | null> => {
    const response: ApiResponse = await api.flex.v1.user.chat.$get();
    return response.status === 404 ? null : parseResponse(chatResponse, response);
  },
});
