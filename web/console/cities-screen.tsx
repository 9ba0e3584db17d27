import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import type { CitiesResponse } from "../../worker/contract/operators.ts";
import { formatCount } from "../features/language/format.ts";
import { Button } from "../ui/button.tsx";
import { Field, INPUT_CLASS } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { citiesQuery } from "./console-api.ts";
import { CONSOLE_PATHS } from "./console-page.ts";
import { ExportButton } from "./csv-button.tsx";
import { CSV_COLUMNS } from "./csv-columns.ts";
import { DataTable, Section, type Column } from "./data-table.tsx";
import { parseCitySpots, parseSpots, type SpotsIssues } from "./deployment-forms.ts";
import { consoleErrorMessage } from "./console-error-message.ts";
import { FormEnd } from "./form-end.tsx";
import { m } from "./messages/messages.js";
import { useOperator } from "./operator.ts";
import { ReasonField } from "./reason-field.tsx";
import { useDeploymentAct } from "./use-deployment-act.ts";

type City = CitiesResponse["cities"][number];

/** Each city with its spots, its line and who is next; owners change the number. */
export function CitiesScreen() {
  const me = useOperator();
  const found = useQuery(citiesQuery);
  const [open, setOpen] = useState<City | null>(null);
  if (found.isPending) return <output className="block">{m.loading()}</output>;
  if (!found.data) return <FormError title={consoleErrorMessage(found.error, me)} />;
  const isOwner = me.operator.role === "owner";
  const columns: Column<City>[] = [
    { id: "city", title: m.city(), renderCell: ({ city }) => city },
    {
      id: "spots",
      title: m.spots(),
      renderCell: (city) => (
        <>
          <span className="block">{city.spots === null ? m.spots_no_limit() : formatCount(city.spots)}</span>
          {isOwner && (
            <Button
              variant="quiet"
              className="-mr-4 text-sm"
              aria-haspopup="dialog"
              onClick={() => setOpen(city)}
            >
              {m.spots_change()}
            </Button>
          )}
        </>
      ),
      isFigure: true,
    },
    {
      id: "taken",
      title: m.spots_taken(),
      renderCell: ({ taken }) => formatCount(taken),
      isFigure: true,
      isWideOnly: true,
    },
    {
      id: "waiting",
      title: m.spots_waiting(),
      renderCell: ({ waiting }) => formatCount(waiting),
      isFigure: true,
    },
    {
      id: "next",
      title: m.spots_next(),
      isWideOnly: true,
      renderCell: ({ next }) =>
        next && (
          <a href={CONSOLE_PATHS.driver(next.id)} className="underline underline-offset-4">
            {next.name}
          </a>
        ),
    },
  ];
  return (
    <>
      <h1 className="text-2xl">{m.nav_cities()}</h1>
      <Section
        title={m.spots()}
        actions={
          <ExportButton
            order={{ table: "cities" }}
            table={m.spots()}
            columns={CSV_COLUMNS.cities}
            rowsOf={({ cities }) => cities}
          />
        }
      >
        <DataTable
          label={m.nav_cities()}
          columns={columns}
          rows={found.data.cities}
          rowKey={({ city }) => city}
          empty={m.cities_none()}
        />
      </Section>
      <Sheet open={open !== null} onClose={() => setOpen(null)} edge="middle" title={open?.city ?? ""}>
        {open && <SpotsForm city={open} onClose={() => setOpen(null)} />}
      </Sheet>
    </>
  );
}

function SpotsForm({ city, onClose }: { city: City; onClose: () => void }) {
  const send = useDeploymentAct(onClose);
  const [spots, setSpots] = useState(city.spots === null ? "" : String(city.spots));
  const [reason, setReason] = useState("");
  const [issues, setIssues] = useState<SpotsIssues>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseCitySpots({ city: city.city, spots, reason });
    setIssues("issues" in parsed ? parsed.issues : {});
    if ("act" in parsed) send.mutate(parsed.act);
  };
  const count = parseSpots(spots);
  const free = count === null ? city.waiting : Math.max(0, (count ?? 0) - city.taken);
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-soft">{m.note_spots()}</p>
      <Field label={m.spots()} hint={m.spots_hint()} error={issues.spots ? m.issue_spots() : undefined}>
        {(props) => (
          <input
            {...props}
            inputMode="numeric"
            autoComplete="off"
            value={spots}
            onChange={(event) => setSpots(event.target.value)}
            className={INPUT_CLASS}
          />
        )}
      </Field>
      {count !== undefined && (
        <output className="figures block text-sm">
          {m.preview_spots({ count: formatCount(Math.min(free, city.waiting)) })}
        </output>
      )}
      <ReasonField value={reason} isMissing={issues.reason === true} onChange={setReason} />
      <FormEnd
        error={send.error}
        isPending={send.isPending}
        submitLabel={m.spots_change()}
        onClose={onClose}
      />
    </form>
  );
}
