import { runOrderedRole } from '#bootstrap/run-ordered-role.ts';

/** The program of a process that serves one role beneath another one: see superviseRoles. */
runOrderedRole();
