/** What went wrong, and what to do about it where that is known. */
export type FormMessage = { title: string; hint?: string };

/** What went wrong with a form as a whole; announced as soon as it appears. */
export function FormError({ title, hint }: { title: string; hint?: string | undefined }) {
  return (
    <div role="alert" className="rounded-field border border-bad bg-raised px-4 py-3">
      <p className="font-semibold text-bad">{title}</p>
      {hint && <p className="text-sm">{hint}</p>}
    </div>
  );
}
