/** The console's values are in IndexedDB, which can store keys that cannot be exported. */
const storeName = 'session';

export async function readKept<T>(name: string): Promise<T | undefined> {
  return inStore('readonly', (store) => store.get(name));
}

export async function keep(name: string, value: unknown): Promise<void> {
  await inStore('readwrite', (store) => store.put(value, name));
}

export async function forget(name: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(name));
}

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<T> {
  const database = await open();
  try {
    return await answerOf<T>(work(database.transaction(storeName, mode).objectStore(storeName)));
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('tradewind-console', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(storeName);
  return answerOf(request);
}

function answerOf<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
