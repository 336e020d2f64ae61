// The models that come with the page: a folder of public/models each, with
// texts to begin with. The page opens with the first. No model is loaded here.

import type { GenerationSettings } from "./state.js";

/** A text to begin with. */
export interface Example {
  readonly name: string;
  readonly text: string;
}

export interface BundledModel {
  /** Of its folder. */
  readonly name: string;
  readonly about: string;
  readonly examples: readonly Example[];
  /** Where the page's own do not fit. */
  readonly settings?: Partial<GenerationSettings>;
}

export const bundledModels: readonly BundledModel[] = [
  {
    name: "tales",
    about: "tells children's stories",
    examples: [
      {
        name: "it was too tired",
        text: "The cat did not cross the street because it was too tired. So the",
      },
      {
        name: "it was too wide",
        text: "The cat did not cross the street because it was too wide. So the",
      },
      {
        name: "keys are, key is",
        text: "The keys near the old house",
      },
      {
        name: "Tom's kite, Mia's hat",
        text: "Tom had a blue kite. Mia had a green hat. Tom looked for his",
      },
      {
        name: "a story",
        text: "Once upon a time, there was a little girl named Anna.",
      },
    ],
  },
  {
    name: "bridge",
    about: "translates English to French",
    examples: [
      { name: "a river's bank", text: "The bank was crowded near the river." },
      { name: "a loan's bank", text: "The bank approved the loan." },
      {
        name: "it was too tired",
        text: "The animal did not cross the street because it was too tired.",
      },
      {
        name: "it was too wide",
        text: "The animal did not cross the street because it was too wide.",
      },
      { name: "red after flower", text: "The white cat sees the red flower." },
    ],
    settings: { temperature: 0 },
  },
  {
    name: "echo",
    about: "repeats what it has read",
    examples: [
      {
        name: "a string, twice",
        text: "kQ7fZ2mXb9RtkQ7fZ2mXb9Rt",
      },
      {
        name: "twice and a beginning",
        text: "w4Hs8uLp3w4Hs8uLp3w4Hs",
      },
    ],
    settings: { temperature: 0 },
  },
];

export function bundledModel(name: string): BundledModel | undefined {
  return bundledModels.find((model) => model.name === name);
}

/** Whether the text is one of the page's own and not a person's. */
export function isExample(text: string): boolean {
  return bundledModels.some(({ examples }) =>
    examples.some((example) => example.text === text),
  );
}
