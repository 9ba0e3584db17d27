import { createFileRoute } from "@tanstack/react-router";
import { rewardsQuery } from "../../api/queries/rewards.ts";
import { RewardsError } from "../../features/rewards/rewards-error.tsx";
import { RewardsScreen } from "../../features/rewards/rewards-screen.tsx";
import { RewardsPending } from "../../features/rewards/rewards-skeleton.tsx";

export const Route = createFileRoute("/flex/rewards")({
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(rewardsQuery);
  },
  pendingComponent: RewardsPending,
  errorComponent: RewardsError,
  component: RewardsScreen,
});
