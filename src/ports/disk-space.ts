/** Free space on disks. */
export interface DiskSpace {
  /** Bytes that this process may still write on the disk that holds `directory`. */
  freeBytes(directory: string): Promise<number>;
}
