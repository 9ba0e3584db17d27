import { queryOptions } from "@tanstack/react-query";
import {
  invitationsResponse,
  invitedResponse,
  type InvitationInput,
  type InvitedResponse,
} from "../../../worker/contract/money/invitations.ts";
import { raffle, rafflesResponse } from "../../../worker/contract/money/raffles.ts";
import {
  redeemResponse,
  rewardsResponse,
  type RedeemInput,
  type RedeemResponse,
} from "../../../worker/contract/money/rewards.ts";
import { api } from "../client/client.ts";
import { parseResponse, request } from "../client/request.ts";

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

/** POST /flex/v1/invitations. Repeating it with the same key gets the same answer. */
export async function sendInvitation(input: InvitationInput): Promise<InvitedResponse> {
  return parseResponse(invitedResponse, await api.flex.v1.invitations.$post({ json: input }));
}

/** A raffle, for anybody. */
export function raffleQuery(id: string) {
  return queryOptions({
    queryKey: ["raffle", id],
    queryFn: async () => parseResponse(raffle, await request(`/status/raffles/${encodeURIComponent(id)}`)),
    staleTime: 60_000,
  });
}

/** The raffles that the driver is in. */
export const rafflesQuery = queryOptions({
  queryKey: ["raffles"],
  queryFn: async () => parseResponse(rafflesResponse, await api.flex.v1.raffles.$get()),
  staleTime: 10 * 60_000,
});
