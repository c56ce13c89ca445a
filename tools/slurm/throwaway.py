"""A Slurm of one's own for a while: controller, node daemons with made-up GPUs, accounting with its database, all below one folder.

Nothing of the host's Slurm, MariaDB or munge is touched: own key, own sockets, own ports on the loopback, own users (by nss_wrapper,
so that no account is added to the machine). Needs root, because node daemons start jobs as their users.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time

PACKAGES = ["slurm-wlm", "slurmdbd", "mariadb-server", "munge", "libnss-wrapper"]
PROGRAMS = ["slurmctld", "slurmd", "slurmdbd", "mariadbd", "mariadb-install-db", "munged", "sbatch", "sacct", "sacctmgr"]
WRAPPER = "libnss_wrapper.so"
FIRST_UID = 61000


def missing():
    """Why this machine cannot run one; empty if it can."""
    if os.geteuid() != 0:
        return "a throw-away Slurm needs root"
    absent = [name for name in PROGRAMS if shutil.which(name, path=search_path()) is None]
    if absent:
        return f"not installed: {', '.join(absent)} (Debian: {' '.join(PACKAGES)})"
    return ""


def search_path():
    return "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class Slurm:
    """`with Slurm(folder, site) as slurm`: up on entry, down on exit, by the ids of the processes it started."""

    def __init__(self, folder, site):
        self.folder = os.path.abspath(folder)
        self.site = site
        self.host = socket.gethostname().split(".")[0]
        self.daemons = []  # (name, process), in the order of their start
        ports = free_ports(3 + len(site.nodes))
        self.database_port, self.accounting_port, self.controller_port = ports[:3]
        self.node_ports = ports[3:]
        self.password = secrets.token_hex(16)
        self.environment = {
            "PATH": search_path(),
            "LANG": "C",
            "TZ": "UTC",
            "HOME": self.folder,
            "SLURM_CONF": self.path("slurm.conf"),
            "LD_PRELOAD": WRAPPER,
            "NSS_WRAPPER_PASSWD": self.path("passwd"),
            "NSS_WRAPPER_GROUP": self.path("group"),
        }

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def __enter__(self):
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    # What the daemons read.

    def prepare(self):
        for name in ("state", "log", "run", "dev", "spool", "data", "work"):
            os.makedirs(self.path(name), exist_ok=True)
        for name in ("", "run", "work"):
            os.chmod(self.path(name), 0o711)
        self.write("munge.key", secrets.token_bytes(1024), 0o400)
        self.write("passwd", self.passwd_file())
        self.write("group", "root:x:0:\n" + "".join(f"{user}:x:{uid}:\n" for user, uid in self.uids().items()))
        self.write("slurm.conf", self.slurm_conf())
        self.write("slurmdbd.conf", self.slurmdbd_conf(), 0o600)
        self.write("gres.conf", self.gres_conf())
        for index in range(max(node.gpus for node in self.site.nodes)):
            # Twins of /dev/null: a GPU that nothing can be done with.
            os.mknod(self.path("dev", f"gpu{index}"), 0o020666, os.makedev(1, 3))

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(self.path(name), mode)

    def uids(self):
        return {user: FIRST_UID + index for index, user in enumerate(self.site.users())}

    def passwd_file(self):
        users = "".join(f"{user}:x:{uid}:{uid}::{self.path('work')}:/bin/sh\n" for user, uid in self.uids().items())
        return "root:x:0:0::/root:/bin/sh\n" + users

    def slurm_conf(self):
        lines = [
            f"ClusterName={self.site.name}",
            f"SlurmctldHost={self.host}(127.0.0.1)",
            "SlurmUser=root",
            "SlurmdUser=root",
            "AuthType=auth/munge",
            f"AuthInfo=socket={self.path('run/munge.sock')}",
            "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny",
            f"SlurmctldPort={self.controller_port}",
            f"SlurmctldPidFile={self.path('run/slurmctld.pid')}",
            f"SlurmctldLogFile={self.path('log/slurmctld.log')}",
            f"SlurmdPidFile={self.path('run/slurmd.%n.pid')}",
            f"SlurmdSpoolDir={self.path('spool/%n')}",
            f"StateSaveLocation={self.path('state')}",
            "MpiDefault=none",
            "ProctrackType=proctrack/linuxproc",
            "TaskPlugin=task/none",
            "SwitchType=switch/none",
            "JobAcctGatherType=jobacct_gather/none",
            "SlurmdParameters=config_overrides",
            "ReturnToService=2",
            "AccountingStorageType=accounting_storage/slurmdbd",
            "AccountingStorageHost=127.0.0.1",
            f"AccountingStoragePass={self.path('run/munge.sock')}",  # of munge, in spite of its name
            f"AccountingStoragePort={self.accounting_port}",
            "AccountingStorageEnforce=associations,limits,qos",
            "GresTypes=gpu",
            *self.site.configuration(),
        ]
        for node, port in zip(self.site.nodes, self.node_ports):
            lines.append(f"NodeName={node.name} NodeHostname={self.host} NodeAddr=127.0.0.1 Port={port} CPUs={node.cpus} "
                         f"RealMemory={node.memory_mib} Gres=gpu:{node.gpu_type}:{node.gpus} Weight={node.weight}")
        return "\n".join(lines + self.site.partitions()) + "\n"

    def slurmdbd_conf(self):
        lines = [
            "AuthType=auth/munge",
            f"AuthInfo=socket={self.path('run/munge.sock')}",
            f"DbdHost={self.host}",
            "DbdAddr=127.0.0.1",
            f"DbdPort={self.accounting_port}",
            "SlurmUser=root",
            f"PidFile={self.path('run/slurmdbd.pid')}",
            "StorageType=accounting_storage/mysql",
            "StorageHost=127.0.0.1",
            f"StoragePort={self.database_port}",
            "StorageUser=slurm",
            f"StoragePass={self.password}",
            "StorageLoc=accounting",
        ]
        return "\n".join(lines) + "\n"

    def gres_conf(self):
        return "".join(f"NodeName={node.name} Name=gpu Type={node.gpu_type} File={self.path('dev')}/gpu[0-{node.gpus - 1}]\n"
                       for node in self.site.nodes)

    # Daemons.

    def start(self):
        self.start_database()
        self.start_daemon("munged", "--foreground", "--force", f"--key-file={self.path('munge.key')}",
                          f"--socket={self.path('run/munge.sock')}", f"--pid-file={self.path('run/munged.pid')}",
                          f"--log-file={self.path('log/munged.log')}", f"--seed-file={self.path('run/munge.seed')}")
        self.wait_for("munge", lambda: os.path.exists(self.path("run/munge.sock")))
        self.start_daemon("slurmdbd", "-D")
        self.wait_for("accounting", lambda: self.succeeds("sacctmgr", "-n", "list", "cluster"))
        self.run("sacctmgr", "-i", "add", "cluster", self.site.name)
        self.start_daemon("slurmctld", "-D")
        # The controller tells the database what can be accounted; before that, limits on GPUs are refused.
        self.wait_for("controller", lambda: "gres" in self.output("sacctmgr", "-n", "show", "tres", check=False))
        for command in self.site.accounting():
            self.run("sacctmgr", "-i", *command)
        for node in self.site.nodes:
            os.makedirs(self.path("spool", node.name), exist_ok=True)
            self.start_daemon("slurmd", "-D", "-N", node.name, log=f"slurmd.{node.name}")
        self.wait_for("nodes", self.nodes_idle)

    def start_database(self):
        data, sock = self.path("data"), self.path("run/database.sock")
        subprocess.run(["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--user=root", "--skip-test-db",
                        "--auth-root-authentication-method=socket"], check=True, env=self.environment, capture_output=True)
        self.start_daemon("mariadbd", "--no-defaults", f"--datadir={data}", "--user=root", f"--socket={sock}", "--bind-address=127.0.0.1",
                          f"--port={self.database_port}", f"--pid-file={self.path('run/database.pid')}", "--skip-log-bin",
                          "--innodb-buffer-pool-size=64M", "--innodb-lock-wait-timeout=900", "--innodb-flush-log-at-trx-commit=0", "--skip-name-resolve")
        ask = ["mariadb", "--no-defaults", f"--socket={sock}", "--user=root", "-e"]
        self.wait_for("database", lambda: self.succeeds(*ask, "select 1"))
        self.run(*ask, f"create database accounting; create user slurm@'127.0.0.1' identified by '{self.password}'; "
                       "grant all on accounting.* to slurm@'127.0.0.1';")

    def start_daemon(self, program, *arguments, log=None):
        with open(self.path("log", f"{log or program}.out"), "ab") as output:
            process = subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                       env=self.environment, start_new_session=True)
        self.daemons.append((log or program, process))

    def wait_for(self, what, ready, limit_s=60):
        end = time.monotonic() + limit_s
        while not ready():
            for name, process in self.daemons:
                if process.poll() is not None:
                    raise RuntimeError(f"{name} ended ({process.returncode}); see {self.path('log')}")
            if time.monotonic() > end:
                raise RuntimeError(f"{what}: not ready after {limit_s} s; see {self.path('log')}")
            time.sleep(0.1)

    def nodes_idle(self):
        answer = self.output("sinfo", "-h", "-N", "-o", "%T", check=False).split()
        return bool(answer) and set(answer) == {"idle"}

    def stop(self):
        """Jobs first, then node daemons, the database last; each is asked, then made to go."""
        self.cancel_jobs()
        order = {"mariadbd": 3, "munged": 2, "slurmdbd": 1, "slurmctld": 0}
        for name, process in sorted(self.daemons, key=lambda daemon: order.get(daemon[0], -1)):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.daemons = []
        self.kill_rest()

    def cancel_jobs(self, limit_s=10):
        if not any(name == "slurmctld" for name, _ in self.daemons):
            return
        for user in self.site.users():
            self.succeeds("scancel", f"--user={user}")
        end = time.monotonic() + limit_s
        while self.output("squeue", "-h", "-a", check=False) and time.monotonic() < end:
            time.sleep(0.2)

    def kill_rest(self):
        """Steps outlive their daemon; they carry our configuration in their environment."""
        mark = f"SLURM_CONF={self.path('slurm.conf')}".encode()
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/environ", "rb") as file:
                    if mark in file.read().split(b"\0"):
                        os.kill(int(process), signal.SIGKILL)
            except OSError:
                continue  # ended meanwhile

    # Commands against it.

    def run(self, *command, **options):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, **options)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
        return done.stdout

    def output(self, *command, check=True, environment=None):
        done = subprocess.run(command, env={**self.environment, **(environment or {})}, capture_output=True, text=True)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def succeeds(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True).returncode == 0
