import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../../ui/toast.ts";
import type { Reward } from "../../../db/shapes/money/rewards.ts";
import type { RedeemInput } from "../../../worker/contract/money/rewards.ts";
import { toE164 } from "../../../locales/phone-number.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { sendOnce } from "../../api/client/send-once.ts";
import { plansQuery } from "../../api/queries/payments.ts";
import { userQuery } from "../../api/queries/user.ts";
import { invitationsQuery, redeemReward, rewardsQuery } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { PhoneField } from "../account/fields.tsx";
import { formatCount } from "../language/format.ts";
import { errorMessage } from "../language/error-messages.ts";
import { inviteFieldMessages, validateFriendPhone } from "../invitations/friend-phone.ts";
import { formatReward } from "./reward-labels.ts";

/** Confirms that a reward is redeemed; null is closed. */
export function RedeemSheet({
  reward,
  points,
  cost,
  onClose,
}: {
  reward: Reward | null;
  points: number;
  cost: number;
  onClose: () => void;
}) {
  return (
    <Sheet open={reward !== null} onClose={onClose} edge="middle" title={m.rewards_confirm_title()}>
      {/* Mounted anew for each time. */}
      {reward !== null && <RedeemForm reward={reward} points={points} cost={cost} onClose={onClose} />}
    </Sheet>
  );
}

function RedeemForm({
  reward,
  points,
  cost,
  onClose,
}: {
  reward: Reward;
  points: number;
  cost: number;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  // As it was when it was asked: where an answer is lost, the points may be spent already.
  const [rest] = useState(points - cost);
  const isForFriend = reward === "friend_invitation";
  const refresh = () =>
    Promise.all(
      [rewardsQuery, userQuery, plansQuery, invitationsQuery].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  const form = useSubmitForm({
    defaultValues: { phoneNumber: "" },
    send: async ({ phoneNumber }) => {
      const redeemed = sendOnce(["redeem", reward, phoneNumber], (idempotencyKey) =>
        redeemReward(toInput(reward, { idempotencyKey, phoneNumber })),
      );
      // Also after a failure: it may have been redeemed, and the points show it.
      redeemed.catch(() => refresh());
      const { isTexted } = await redeemed;
      await refresh();
      toast(
        isForFriend ? (isTexted ? m.rewards_friend_texted() : m.rewards_friend_untexted()) : m.rewards_done(),
      );
      onClose();
    },
    describeError: (error) => ({
      message: { title: m.rewards_redeem_failed(), hint: describeRefusal(error) },
      fields: inviteFieldMessages(error),
    }),
  });
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="figures">
          {m.rewards_confirm_text({
            reward: formatReward(reward),
            points: formatCount(cost),
            rest: formatCount(rest),
          })}
        </p>
        {isForFriend && (
          <form.AppField
            name="phoneNumber"
            validators={{ onDynamic: ({ value }) => validateFriendPhone(value) }}
          >
            {() => (
              <PhoneField
                label={m.invite_phone()}
                name="friend"
                autoComplete="tel"
                hint={m.rewards_friend_hint()}
              />
            )}
          </form.AppField>
        )}
        <form.SubmitError />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            {m.rewards_keep()}
          </Button>
          <form.SubmitButton pendingLabel={m.rewards_redeeming()}>
            {m.rewards_confirm({ points: formatCount(cost) })}
          </form.SubmitButton>
        </div>
      </form.Body>
    </form.AppForm>
  );
}

/** The checkout has words of its own for too few points, about a charge. */
function describeRefusal(error: unknown): string {
  return errorCodeOf(error) === "points_short" ? m.rewards_points_short() : errorMessage(error);
}

function toInput(
  reward: Reward,
  { idempotencyKey, phoneNumber }: { idempotencyKey: string; phoneNumber: string },
): RedeemInput {
  if (reward !== "friend_invitation") return { reward, idempotencyKey };
  return { reward, idempotencyKey, phoneNumber: (toE164(phoneNumber) ?? "").slice(2) };
}
