import { queryOptions } from "@tanstack/react-query";
import {
  invitationsResponse,
  invitedResponse,
  type InvitationInput,
  type InvitedResponse,
} from "../../../worker/contract/money/invitations.ts";
import {
  redeemResponse,
  rewardsResponse,
  type RedeemInput,
  type RedeemResponse,
} from "../../../worker/contract/money/rewards.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

export const rewardsQuery = queryOptions({
  queryKey: ["rewards"],
  queryFn: async () => parseResponse(rewardsResponse, await api.flex.v1.rewards.$get()),
  // A payment in another tab earns and spends points.
  staleTime: 10_000,
});

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: async () => parseResponse(invitationsResponse, await api.flex.v1.invitations.$get()),
  staleTime: 10_000,
});

/** POST /flex/v1/rewards/redeem. Repeating it with the same key redeems nothing twice. */
export async function redeemReward(input: RedeemInput): Promise<RedeemResponse> {
  return parseResponse(redeemResponse, await api.flex.v1.rewards.redeem.$post({ json: input }));
}

/** POST /flex/v1/invitations. */
export async function sendInvitation(input: InvitationInput): Promise<InvitedResponse> {
  return parseResponse(invitedResponse, await api.flex.v1.invitations.$post({ json: input }));
}
