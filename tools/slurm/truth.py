"""One run: submit the jobs in real time, wait for all, write down what Slurm's own tools say about it."""

import os
import re
import time

SACCT_FIELDS = ("JobID,JobIDRaw,JobName,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,Elapsed,Timelimit,NNodes,NCPUS,"
                "ReqTRES,AllocTRES,NodeList,Priority,Reservation,SubmitLine")

ASSOC_FIELDS = "Cluster,Account,ParentName,User,Partition,Share,Priority,GrpJobs,GrpTRES,GrpSubmit,MaxJobs,MaxTRES,MaxSubmit,MaxWall"

# File -> command. Times as seconds since the epoch, so that no time zone is needed to read them.
EXPORTS = {
    "sacct.psv": ["sacct", "-a", "-D", "--parsable2", "--starttime=now-1days", f"--format={SACCT_FIELDS}"],
    "sacct-all.psv": ["sacct", "-a", "-D", "--parsable2", "--starttime=now-1days", "--format=ALL"],
    "nodes.txt": ["scontrol", "show", "nodes"],
    "nodes-oneliner.txt": ["scontrol", "--oneliner", "show", "nodes"],
    "config.txt": ["scontrol", "show", "config"],
    "partitions.txt": ["scontrol", "show", "partition"],
    "reservations.txt": ["scontrol", "show", "reservation"],
    "sinfo.txt": ["sinfo", "-N", "-o", "%N|%P|%G|%T|%c|%m|%w"],
    "assoc.psv": ["sacctmgr", "--parsable2", "show", "assoc", f"format={ASSOC_FIELDS}"],
    "qos.psv": ["sacctmgr", "--parsable2", "show", "qos"],
    "sshare.psv": ["sshare", "-a", "-l", "--parsable2"],
    "sdiag.txt": ["sdiag"],
}


def export(slurm, out, names):
    for name in names:
        text = slurm.output(*EXPORTS[name], environment={"SLURM_TIME_FORMAT": "%s"})
        text = re.sub(rf"\b{re.escape(slurm.host)}\b", "localhost", text.replace(slurm.folder, "/slurm"))
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(text)


class Run:
    def __init__(self, slurm, jobs, out):
        self.slurm, self.jobs, self.out = slurm, jobs, out
        self.by_name = {job.name: job for job in jobs}
        self.ids = {}
        self.cancels = {}  # id -> seconds of running after which it is cancelled
        self.cancelled = set()

    def reserve(self, name, nodes, in_s, minutes):
        self.slurm.run("scontrol", "create", "reservation", f"ReservationName={name}", f"StartTime=now+{in_s}", f"Duration={minutes}",
                       f"Nodes={nodes}", "Users=root", "Flags=MAINT")

    def wait_for_shares(self, user, limit_s=90):
        """Fair-share factors are worked out once a period only; before the first, all are 0, which no real site ever sees."""
        end = time.monotonic() + limit_s
        while float(self.slurm.output("sshare", "-n", "-P", "-a", "-u", user, "-o", "FairShare").split()[-1]) == 0:
            if time.monotonic() > end:
                raise RuntimeError("the fair-share factors stay 0")
            time.sleep(0.5)

    def submit(self, job):
        script = "#!/bin/sh\n#SBATCH --output=/dev/null --error=/dev/null --export=NIL\nset -- " + " ".join(str(one) for one in job.sleep_s) + '\nshift $((${SLURM_ARRAY_TASK_ID:-1} - 1))\nexec sleep "$1"\n'
        command = ["sbatch", "--parsable", f"--uid={job.user}", f"--job-name={job.name}", *job.options]
        if job.after:
            command.append(f"--dependency=afterany:{self.ids[job.after]}")
        self.ids[job.name] = self.slurm.run(*command, input=script, cwd=self.slurm.path("work")).strip()
        if job.cancel_after_s:
            self.cancels[self.ids[job.name]] = job.cancel_after_s

    def watch(self, began, samples):
        """Cancels whose time has come, and a sample of the priorities."""
        now = int(time.time())
        running = {}
        for line in self.slurm.output("squeue", "-h", "-a", "-t", "R", "-o", "%i %S", environment={"SLURM_TIME_FORMAT": "%s"}).splitlines():
            name, start = line.split()
            running[name] = now - int(start) if start.isdigit() else 0
        for name, after_s in self.cancels.items():
            if name not in self.cancelled and running.get(name, -1) >= after_s:
                self.slurm.run("scancel", name)
                self.cancelled.add(name)
        for line in self.slurm.output("sprio", "-h", "-o", "%i|%r|%u|%Y|%A|%F|%J|%P|%Q|%T").splitlines():
            samples.write(f"{now}|{line.replace(' ', '')}\n")
        samples.flush()
        return time.monotonic() - began

    def unfinished(self):
        return len(self.slurm.output("squeue", "-h", "-a", "-t", "PD,R,CG,S").splitlines())

    def carry_out(self, sample_every_s=5, limit_s=1200):
        time.sleep(1 - time.time() % 1)
        began = time.monotonic()
        next_sample = 0.0
        with open(os.path.join(self.out, "sprio.psv"), "w", encoding="utf-8") as samples:
            samples.write("time|job_id|partition|user|priority|age|fair_share|job_size|partition_priority|qos|tres\n")
            for job in self.jobs:
                while (wait := job.at_s - (time.monotonic() - began)) > 0:
                    if time.monotonic() - began >= next_sample:
                        next_sample = self.watch(began, samples) + sample_every_s
                    else:
                        time.sleep(min(wait, 0.1))
                self.submit(job)
            while self.unfinished() > 0:
                if time.monotonic() - began > limit_s:
                    raise RuntimeError(f"jobs are left after {limit_s} s")
                if time.monotonic() - began >= next_sample:
                    next_sample = self.watch(began, samples) + sample_every_s
                time.sleep(0.5)
        self.wait_for_accounting()

    def wait_for_accounting(self):
        """The database hears of the last ends a little later."""
        for _ in range(120):
            states = self.slurm.output("sacct", "-a", "-X", "-n", "-P", "--starttime=now-1days", "--format=State").split("\n")
            if not any(state in ("RUNNING", "PENDING") for state in states):
                return
            time.sleep(0.5)
        raise RuntimeError("the accounting does not catch up")
