/** What is known of the outputs of jobs. Their bytes are in files. */
export interface ArtifactStore {
  /** Survives the end of the process, if not of the machine. Returns the files of the oldest, which had to make room. */
  add(artifact: StoredArtifact, maxTotalBytes: number): Promise<readonly string[]>;
  get(handle: string): Promise<StoredArtifact | null>;
  /** Takes away those whose time is up at `now`; their files. */
  expire(now: number): Promise<readonly string[]>;
  /** Those of `files` that no artifact has. */
  unknownFiles(files: readonly string[]): Promise<string[]>;
}

export interface StoredArtifact {
  readonly handle: string;
  readonly repo: string;
  /** What the names of its files begin with. */
  readonly file: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Of its files. */
  readonly storedBytes: number;
  readonly stdout: StoredStream;
  readonly stderr: StoredStream;
}

/** Of all that was printed, the first `headBytes` and the last `tailBytes` were kept. */
export interface StoredStream {
  readonly bytes: number;
  /** A last line without its newline counts. */
  readonly lines: number;
  readonly headBytes: number;
  /** 0 when nothing is missing. */
  readonly tailBytes: number;
  /** The line, from 1, that the tail's first byte is part of. */
  readonly tailLine: number;
  /** Of the bytes that were kept. */
  readonly sha256: string;
}
