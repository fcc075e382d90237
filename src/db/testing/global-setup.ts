import type { TestProject } from 'vitest/node';
import { startTestServer } from './test-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServerUrl: string;
    testServiceUrl: string;
    testTemplate: string;
  }
}

/** Starts the run's server, and provides its addresses to the test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  project.provide('testServerUrl', server.url);
  project.provide('testServiceUrl', server.serviceUrl);
  project.provide('testTemplate', server.template);
  return server.stop;
}
