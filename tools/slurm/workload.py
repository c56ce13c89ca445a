"""Seeded jobs that sleep: when each is submitted, and with which options of sbatch."""

import random
from dataclasses import dataclass, field


@dataclass
class Submission:
    at_s: float  # after the start of the run
    user: str
    name: str
    sleep_s: list  # one a task of the array; one for a plain job
    options: list
    after: str = ""  # name of the job it waits for
    cancel_after_s: float = 0  # of running; 0 = never
    ids: list = field(default_factory=list)


SIZES = ((1, 50), (2, 22), (4, 20), (8, 8))
TYPES = (("a100", 36), ("v100", 36), ("t4", 13), ("", 15))
QOS = (("normal", 60), ("high", 15), ("low", 25))
PER_NODE = 4


def pick(rng, table):
    return rng.choices([value for value, _ in table], [weight for _, weight in table])[0]


def gpu_options(gpus, gpu_type):
    per_node = min(gpus, PER_NODE)
    kind = f"gpu:{gpu_type}:" if gpu_type else "gpu:"
    return [f"--nodes={max(1, gpus // PER_NODE)}", f"--gres={kind}{per_node}"]


def partition_of(rng, gpu_type, limit_min):
    if limit_min <= 2 and rng.random() < 0.3:
        return "short"
    return "large" if gpu_type in ("a100", "v100") and rng.random() < 0.35 else "main"


def duration(rng):
    return round(min(60.0, max(4.0, rng.lognormvariate(2.25, 0.75))))


def one_job(rng, site, number, at_s, gpus=None):
    gpus = gpus or pick(rng, SIZES)
    gpu_type = pick(rng, TYPES)
    if gpus > PER_NODE and gpu_type in ("", "t4"):
        gpu_type = rng.choice(("a100", "v100"))  # a gang stays on one type
    sleep_s = duration(rng)
    limit_min = max(1, -int(-sleep_s * rng.uniform(1.1, 4.0) // 60))
    if sleep_s > 40 and rng.random() < 0.3:
        sleep_s += 60
        limit_min = 1  # its limit ends it
    user = rng.choice(site.users())
    options = gpu_options(gpus, gpu_type) + [f"--partition={partition_of(rng, gpu_type, limit_min)}", f"--qos={pick(rng, QOS)}",
                                             f"--time={limit_min}", f"--account={site.account_of(user)}"]
    return Submission(at_s, user, f"job{number:03}", [sleep_s], options)


def arrivals(rng, count, span_s):
    """Bursts at random whole seconds, a few jobs each: many submissions share a second, as on real sites. Whole ones, because the accounting
    keeps no fractions: what falls between two seconds could not be replayed."""
    times = []
    while len(times) < count:
        burst = min(count - len(times), 1 + int(rng.expovariate(0.5)))
        times += [float(rng.randrange(int(span_s)))] * burst
    return sorted(times)


def generate(site, seed, count, span_s, array_tasks=6):
    """`count` jobs in all, a task of an array counting as one: two arrays with a limit, eight that wait for another, three cancelled."""
    rng = random.Random(seed)
    arrays = 2 if count >= 10 * array_tasks else 0
    plain = count - arrays * array_tasks
    jobs = [one_job(rng, site, number, at_s) for number, at_s in enumerate(arrivals(rng, plain, span_s))]
    for job in rng.sample(jobs[1:], min(8, plain // 10)):
        job.after = jobs[rng.randrange(jobs.index(job))].name
    for job in rng.sample(jobs, min(3, plain // 10)):
        job.cancel_after_s = job.sleep_s[0] / 2
    for index in range(arrays):
        job = one_job(rng, site, plain + index, float(rng.randrange(int(0.1 * span_s), int(0.6 * span_s))), gpus=1)
        job.sleep_s = [duration(rng) for _ in range(array_tasks)]
        job.options = [option for option in job.options if not option.startswith("--time=")] + ["--time=3", f"--array=1-{array_tasks}%2"]
        job.options = ["--partition=main" if option.startswith("--partition=") else option for option in job.options]
        jobs.append(job)
    return sorted(jobs, key=lambda job: (job.at_s, job.name))
