import { expect, test } from 'vitest'
import { jobOfPage, jobPageOf } from './job-page.ts'

test('the page of a job leads back to the job', () => {
  expect(jobPageOf('cjob')).toBe('/jobs/cjob')
  expect(jobOfPage(jobPageOf('cjob'))).toBe('cjob')
  expect(jobOfPage('/jobs/cjob/receipt')).toBe('cjob')
  expect(jobOfPage('/jobs/cjob?from=bell')).toBe('cjob')
  expect(jobOfPage('/jobs/cjob#messages')).toBe('cjob')
})

test('other paths lead to no job', () => {
  for (const path of ['', '/jobs', '/jobs/', '/jobs/?page=2', '/agents/cjob', '/api/jobs/cjob'])
    expect(jobOfPage(path)).toBeUndefined()
})
