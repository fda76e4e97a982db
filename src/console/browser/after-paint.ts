// The modules of a page that can be read without them stand in a template, where nothing is fetched: before the
// first paint they would compete with it (K14).
const held = document.querySelector<HTMLTemplateElement>('template#modules');
const begin = () => document.body.append(held?.content ?? '');

// The first paint may be of an empty page. One in the background is not painted until somebody looks at it.
const isTold =
  document.visibilityState === 'visible' &&
  PerformanceObserver.supportedEntryTypes.includes('paint');
const observer = new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length > 0) begin();
});
if (isTold) observer.observe({ type: 'paint', buffered: true });
else begin();
