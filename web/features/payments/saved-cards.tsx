import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import { renewalQuery, removeSavedCard, savedCardsQuery } from "../../api/queries/saved-cards.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { FormError } from "../../ui/notices.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatCard } from "./payment-labels.ts";

/** The cards that the driver saved, each with a way to remove it; nothing where there is none. */
export function SavedCards() {
  const queryClient = useQueryClient();
  const { data, isLoading } = useQuery(savedCardsQuery);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => removeSavedCard(id),
    onSuccess: (_removed, { name }) => {
      toast(m.cards_removed({ card: name }));
      void queryClient.invalidateQueries({ queryKey: renewalQuery.queryKey });
      return queryClient.invalidateQueries({ queryKey: savedCardsQuery.queryKey });
    },
  });
  // Of no height: most drivers have none.
  if (isLoading) return <Skeleton />;
  if (!data || data.cards.length === 0) return null;
  return (
    <section aria-labelledby="saved-cards" className="card grid gap-3 p-4 sm:p-5">
      <h2 id="saved-cards" className="text-lg">
        {m.cards_title()}
      </h2>
      <ul className="grid gap-2">
        {data.cards.map((card) => {
          const name = formatCard(card);
          const { expMonth, expYear } = card;
          return (
            <li key={card.id} className="flex flex-wrap items-center justify-between gap-3">
              <span className="figures">
                {name}
                {expMonth !== null && expYear !== null && (
                  <span className="text-sm text-soft">
                    {" "}
                    {m.cards_expires({ month: String(expMonth).padStart(2, "0"), year: String(expYear) })}
                  </span>
                )}
              </span>
              <Button
                aria-disabled={isPending}
                aria-label={m.cards_remove_named({ card: name })}
                onClick={() => isPending || mutate({ id: card.id, name })}
              >
                {m.cards_remove()}
              </Button>
            </li>
          );
        })}
      </ul>
      {error && <FormError title={m.cards_remove_failed()} hint={errorMessage(error)} />}
    </section>
  );
}
