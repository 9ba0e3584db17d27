import type { ActKind } from "../../../db/shapes/operators.ts";
import { m } from "../messages/messages.js";

/** The name of each act, on its button and in the log. */
export const ACT_LABELS = {
  days: m.act_days,
  points: m.act_points,
  refund: m.act_refund,
  refund_failed: m.act_refund_failed,
  special_price: m.act_special_price,
  end_price: m.act_end_price,
  sign_out: m.act_sign_out,
  unlink: m.act_unlink,
  disable: m.act_disable,
  enable: m.act_enable,
  test_text: m.act_test_text,
  resend_text: m.act_resend_text,
  show_phone: m.act_show_phone,
  sale: m.act_sale,
  end_sale: m.act_end_sale,
  list_price: m.act_list_price,
  city_spots: m.act_city_spots,
  announce: m.act_announce,
  end_announcement: m.act_end_announcement,
  resolve_error: m.act_resolve_error,
  reopen_error: m.act_reopen_error,
  raffle: m.act_raffle,
  end_raffle: m.act_end_raffle,
  draw: m.act_draw,
  export: m.act_export,
  other: m.act_other,
} satisfies Record<ActKind, () => string>;
