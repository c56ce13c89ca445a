// The figures of a summary: what they are called, how they read, and which way is better.

import { dollars, duration, energy, number, percent } from './format';

export interface Figure {
  field: string;
  title: string;
  means: string;
  show: (value: number) => string;
  better: 'less' | 'more' | 'neither';
}

const figure = (field: string, title: string, show: Figure['show'], better: Figure['better'], means: string): Figure => ({
  field,
  title,
  means,
  show,
  better,
});

export const kFigureGroups: { title: string; figures: Figure[] }[] = [
  {
    title: 'Completion',
    figures: [
      figure('avg_jct_s', 'mean JCT', duration, 'less', 'Job completion time: finish minus submission.'),
      figure('median_jct_s', 'median JCT', duration, 'less', 'Half of the jobs completed within this time.'),
      figure('p90_jct_s', '90 % JCT', duration, 'less', 'Nine of ten jobs completed within this time.'),
      figure('p99_jct_s', '99 % JCT', duration, 'less', 'All but one of a hundred jobs completed within this time.'),
      figure('makespan_s', 'makespan', duration, 'less', 'Last finish minus first submission.'),
    ],
  },
  {
    title: 'Waiting',
    figures: [
      figure('avg_queueing_s', 'mean queueing', duration, 'less', 'First start minus submission.'),
      figure('median_queueing_s', 'median queueing', duration, 'less', 'First start minus submission, of the job in the middle.'),
      figure('avg_waiting_s', 'mean waiting', duration, 'less', 'All time without GPUs, after preemptions too.'),
      figure(
        'avg_bounded_slowdown',
        'mean slowdown',
        number,
        'less',
        'Completion time over the run time alone (of at least 10 s); 1 is best.',
      ),
    ],
  },
  {
    title: 'Fairness',
    figures: [
      figure(
        'avg_ftf_rho',
        'mean \u03c1',
        number,
        'less',
        'Finish-time fairness: completion time over the run time alone on a 1/n share of the cluster.',
      ),
      figure(
        'max_ftf_rho',
        'worst \u03c1',
        number,
        'less',
        'The most unfairly treated job; above 1 it would have been better off with its own share.',
      ),
      figure('jain_fairness', 'Jain\u2019s index', number, 'more', 'Over 1/\u03c1; 1 means that all jobs were treated alike.'),
      figure('deadline_miss_fraction', 'deadlines missed', percent, 'less', 'Of the jobs that have one.'),
    ],
  },
  {
    title: 'Cluster',
    figures: [
      figure('utilization', 'utilization', percent, 'more', 'Held over present GPU time.'),
      figure('cost_usd', 'cost', dollars, 'less', 'Held GPU time times price.'),
      figure('energy_kwh', 'energy', energy, 'less', 'Held GPU time times power.'),
      figure('preemptions', 'preemptions', number, 'less', 'Stops of any reason, migrations included.'),
      figure('resizes', 'resizes', number, 'neither', 'Changes of a running job\u2019s GPUs.'),
    ],
  },
  {
    title: 'Jobs',
    figures: [
      figure('jobs_total', 'jobs', number, 'neither', 'Jobs that the figures cover.'),
      figure('jobs_completed', 'completed', number, 'more', 'Jobs that finished.'),
      figure('jobs_rejected', 'rejected', number, 'less', 'Jobs that can never run.'),
      figure('jobs_cancelled', 'cancelled', number, 'neither', 'Jobs that their users took back.'),
      figure('jobs_unfinished', 'unfinished', number, 'less', 'Jobs still there at the end; they enter the means with their time so far.'),
    ],
  },
];

export const kFigures: Figure[] = kFigureGroups.flatMap((group) => group.figures);

export const figureOf = (field: string): Figure | undefined => kFigures.find((known) => known.field === field);
