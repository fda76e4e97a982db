export type RequirementSources = {
  /** Documents in which each rule is a list item that begins with its number in bold: `- **Q1** …`. */
  readonly documents: readonly string[];
  /** A list of rules known to have no test yet, each with its reason: `- **Q1** …`. */
  readonly gaps: string;
  /** Test files; a test names the rules it covers in brackets: `refuses an amount of zero [Q3]`. */
  readonly tests: readonly string[];
};

/**
 * Compares rules, tests and open gaps. A problem is a rule with neither test nor gap, a gap that a test
 * has closed, or a test or gap whose number is no rule.
 */
export function compareRequirements({ documents, gaps, tests }: RequirementSources): {
  counts: { rules: number; tested: number; gaps: number };
  problems: string[];
} {
  const rules = new Set(documents.flatMap(numbersInLists));
  const open = new Set(numbersInLists(gaps));
  const named = new Set(tests.flatMap(numbersInTestNames));
  const tested = new Set([...rules].filter((rule) => named.has(rule)));
  const problems = [
    ...[...rules]
      .filter((rule) => !tested.has(rule) && !open.has(rule))
      .map(
        (rule) =>
          `${rule} has no test: name one after it, or list it in docs/requirements/open-gaps.md`,
      ),
    ...[...open]
      .filter((rule) => tested.has(rule))
      .map((rule) => `${rule} has a test: take it off docs/requirements/open-gaps.md`),
    ...[...open]
      .filter((rule) => !rules.has(rule))
      .map((rule) => `${rule} is listed as an open gap but is no rule in docs/requirements`),
    ...[...named]
      .filter((rule) => !rules.has(rule))
      .map((rule) => `${rule} stands in a test name but is no rule in docs/requirements`),
  ];
  return { counts: { rules: rules.size, tested: tested.size, gaps: open.size }, problems };
}

function numbersInLists(document: string): string[] {
  return [...document.matchAll(/^- \*\*([A-Z]+\d+(?:\.\d+)?)\*\*/gm)].map(
    (match) => match[1] ?? '',
  );
}

function numbersInTestNames(source: string): string[] {
  const brackets = source.matchAll(/\[((?:[A-Z]+\d+(?:\.\d+)?)(?:, ?[A-Z]+\d+(?:\.\d+)?)*)\]/g);
  return [...brackets].flatMap((match) => (match[1] ?? '').split(/, ?/));
}
