// Step 4 of a tokenizer: special tokens around the ids of a text, or of two.
// Each kind of tokenizer.json's "post_processor" as the Rust library carries it
// out. Read next: tokenizer.ts.

/** Any "post_processor" of a tokenizer.json. */
export interface PostProcessorJson {
  readonly type: string;
  readonly processors?: readonly PostProcessorJson[];
  readonly single?: readonly TemplateItem[];
  readonly pair?: readonly TemplateItem[];
  readonly special_tokens?: Readonly<
    Record<string, { readonly ids: readonly number[] }>
  >;
  readonly cls?: readonly [string, number];
  readonly sep?: readonly [string, number];
}

type TemplateItem =
  | { readonly SpecialToken: { readonly id: string; readonly type_id: number } }
  | { readonly Sequence: { readonly id: "A" | "B"; readonly type_id: number } };

/** What stands in a row: ids of the template's own, or a text's place. */
export type Slot =
  | { readonly ids: readonly number[]; readonly type: number }
  | { readonly text: "A" | "B"; readonly type: number };

/** The rows for one text and for two; no `pair` where two are not provided for. */
export interface Template {
  readonly single: readonly Slot[];
  readonly pair?: readonly Slot[];
}

const plain: Template = { single: [{ text: "A", type: 0 }] };

/** Throws an Error that names what it does not know. */
export function makeTemplate(
  json: PostProcessorJson | null | undefined,
): Template {
  if (json == null) return plain;
  switch (json.type) {
    case "ByteLevel": // It changes offsets, not ids.
      return plain;
    case "Sequence": {
      const templates = (json.processors ?? [])
        .map(makeTemplate)
        .filter((template) => template !== plain);
      if (templates.length > 1)
        throw new Error("several post-processors that add tokens");
      return templates[0] ?? plain;
    }
    case "TemplateProcessing":
      return fromJson(json);
    case "BertProcessing": {
      const { cls, sep } = borders(json);
      const single = [cls, text("A"), sep];
      return { single, pair: [...single, text("B", 1), { ...sep, type: 1 }] };
    }
    case "RobertaProcessing": {
      const { cls, sep } = borders(json);
      const single = [cls, text("A"), sep];
      return { single, pair: [...single, sep, text("B"), sep] };
    }
    default:
      throw new Error(`the post-processor ${json.type} is not known here`);
  }
}

/** The template with the ids of texts in place of their slots. */
export function fill(
  slots: readonly Slot[],
  texts: { readonly A: readonly number[]; readonly B?: readonly number[] },
): { ids: number[]; types: number[] } {
  const parts = slots.map((slot) => ({
    ids: "ids" in slot ? slot.ids : (texts[slot.text] ?? []),
    type: slot.type,
  }));
  return {
    ids: parts.flatMap(({ ids }) => ids),
    types: parts.flatMap(({ ids, type }) => ids.map(() => type)),
  };
}

function text(name: "A" | "B", type = 0): Slot {
  return { text: name, type };
}

function borders({ cls, sep }: PostProcessorJson) {
  if (cls === undefined || sep === undefined)
    throw new Error("a post-processor without cls or sep");
  return {
    cls: { ids: [whole(cls[1])], type: 0 },
    sep: { ids: [whole(sep[1])], type: 0 },
  };
}

function fromJson(json: PostProcessorJson): Template {
  const slots = (items: readonly TemplateItem[] = []) =>
    items.map((item): Slot => {
      if ("Sequence" in item)
        return { text: item.Sequence.id, type: item.Sequence.type_id };
      const { id, type_id: type } = item.SpecialToken;
      const special = json.special_tokens?.[id];
      if (special === undefined)
        throw new Error(`the template's token ${id} has no ids`);
      return { ids: special.ids.map(whole), type };
    });
  const pair = slots(json.pair);
  const hasTwo = pair.some((slot) => "text" in slot && slot.text === "B");
  return { single: slots(json.single), ...(hasTwo ? { pair } : {}) };
}

function whole(id: number): number {
  if (!Number.isInteger(id) || id < 0)
    throw new Error(`the template's id ${String(id)} is not a token id`);
  return id;
}
