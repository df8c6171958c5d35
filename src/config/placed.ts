/** A setting with where its author finds it: `runtime.enabled (/home/me/.cay/config.json)`, `http_port (--http-port)`. */
export type Placed = (path: string) => string;
