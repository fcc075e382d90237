/** Whether there is a process with this id. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is another user's.
    return error.code === 'EPERM';
  }
}
