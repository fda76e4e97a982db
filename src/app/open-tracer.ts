import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logging/logger.ts';
import type { Random } from '../kernel/random/random.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { Tracer } from '../kernel/trace/tracer.ts';
import type { TraceSettings } from './settings/read-trace-settings.ts';
import { version } from './version.ts';

/** The tracer and the worker that exports its spans. Loads their code only if needed (T5). */
export async function openTracer(
  settings: TraceSettings | undefined,
  options: { readonly clock: Clock; readonly random: Random; readonly logger: Logger },
): Promise<{ readonly tracer: Tracer | undefined; readonly workers: readonly Worker[] }> {
  if (settings === undefined) return { tracer: undefined, workers: [] };
  const [{ createTracer }, { createOtlpExporter }] = await Promise.all([
    import('../kernel/trace/tracer.ts'),
    import('../kernel/trace/create-otlp-exporter.ts'),
  ]);
  const { clock, random, logger } = options;
  const { record, worker } = createOtlpExporter({
    target: settings,
    service: { name: settings.serviceName, version },
    clock,
    fetch,
    onLoss: (count, error) => logger.warn({ err: error, count }, 'spans of traces were lost'),
  });
  return { tracer: createTracer({ clock, random, record }), workers: [worker] };
}
