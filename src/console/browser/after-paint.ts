// A page that can be read without its modules has them in a template, from which browsers fetch nothing: before the
// first paint they would compete with it (K14).
const held = document.querySelector<HTMLTemplateElement>('template#modules');
const begin = () => document.body.append(held?.content ?? '');

// Not `first-paint`, which may be of an empty page. A page in the background is not painted until somebody looks at it.
const isTold =
  document.visibilityState === 'visible' &&
  PerformanceObserver.supportedEntryTypes.includes('paint');
const observer = new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length > 0) begin();
});
if (isTold) observer.observe({ type: 'paint', buffered: true });
else begin();
