"""The site that the throw-away Slurm runs: three kinds of GPU nodes, three partitions, three accounts with two users each, three QOS.

Time is compressed: what takes 30 s in a default Slurm (the backfill interval) takes 5 s here, a half-life of a week five minutes. Declared
limits are whole minutes all the same, because Slurm knows no shorter ones.
"""

from dataclasses import dataclass, field


@dataclass
class Node:
    name: str
    gpu_type: str
    gpus: int
    weight: int  # the lowest is filled first
    cpus: int = 64
    memory_mib: int = 256000


@dataclass
class Account:
    name: str
    shares: int
    users: dict  # name -> shares


@dataclass
class Site:
    name: str
    nodes: list
    accounts: list
    qos: dict = field(default_factory=dict)  # name -> settings of sacctmgr
    settings: dict = field(default_factory=dict)  # slurm.conf
    partition_lines: list = field(default_factory=list)

    def users(self):
        return [user for account in self.accounts for user in account.users]

    def account_of(self, user):
        return next(account.name for account in self.accounts if user in account.users)

    def configuration(self):
        return [f"{key}={value}" for key, value in self.settings.items()]

    def partitions(self):
        return self.partition_lines

    def accounting(self):
        """Arguments of sacctmgr, in order."""
        for name, settings in self.qos.items():
            if name == "normal":  # Slurm brings it
                yield ["modify", "qos", "normal", "set", *settings]
            else:
                yield ["add", "qos", name, *settings]
        names = ",".join(self.qos)
        for account in self.accounts:
            yield ["add", "account", account.name, f"Fairshare={account.shares}", f"QOS={names}", "DefaultQOS=normal"]
            for user, shares in account.users.items():
                yield ["add", "user", user, f"Account={account.name}", f"Fairshare={shares}"]


def compressed_site():
    nodes = [Node(f"t{index}", "t4", 4, 10) for index in (1, 2)]
    nodes += [Node(f"v{index}", "v100", 4, 20) for index in (1, 2, 3, 4)]
    nodes += [Node(f"a{index}", "a100", 4, 30) for index in (1, 2, 3, 4)]
    billing = 'TRESBillingWeights="CPU=0.0,Mem=0.0,GRES/gpu=1.0"'
    return Site(
        name="compressed",
        nodes=nodes,
        accounts=[
            Account("vision", 40, {"ana": 2, "ben": 1}),
            Account("language", 40, {"cyd": 1, "dov": 1}),
            Account("biology", 20, {"eve": 3, "fay": 1}),
        ],
        qos={
            "normal": ["Priority=10"],
            "high": ["Priority=100", "MaxTRESPerUser=gres/gpu=8"],
            "low": ["Priority=0", "GrpTRES=gres/gpu=16"],
        },
        settings={
            "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_Core",
            "SchedulerType": "sched/backfill",
            "SchedulerParameters": "bf_interval=5,bf_resolution=1,bf_window=60,bf_max_job_test=1000,bf_continue,"
                                   "sched_interval=10,default_queue_depth=1000,batch_sched_delay=0",
            "AccountingStorageTRES": "gres/gpu,gres/gpu:a100,gres/gpu:v100,gres/gpu:t4",
            "PriorityType": "priority/multifactor",
            "PriorityWeightAge": 1000,
            "PriorityWeightFairshare": 2000,
            "PriorityWeightJobSize": 500,
            "PriorityWeightPartition": 500,
            "PriorityWeightQOS": 1000,
            "PriorityWeightTRES": "gres/gpu=400",
            "PriorityMaxAge": "00:10:00",
            "PriorityDecayHalfLife": "00:05:00",
            "PriorityCalcPeriod": "00:01:00",
            "PreemptType": "preempt/none",
            "KillWait": 2,
            "CompleteWait": 0,
            "SlurmctldDebug": "info",
            "DebugFlags": "Backfill",
        },
        partition_lines=[
            f"PartitionName=main Nodes=ALL Default=YES MaxTime=10 DefaultTime=3 PriorityJobFactor=10 State=UP {billing}",
            f"PartitionName=short Nodes=ALL MaxTime=2 DefaultTime=1 PriorityJobFactor=50 State=UP {billing}",
            f"PartitionName=large Nodes=a[1-4],v[1-4] MaxTime=10 DefaultTime=3 PriorityJobFactor=20 State=UP {billing}",
        ],
    )
