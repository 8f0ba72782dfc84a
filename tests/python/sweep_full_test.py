"""driftless sweep: a thousand runs killed again and again, workers that are shot, Slurm and MPI as launchers."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from _cli import CLI, CliTest, main  # noqa: E402
from sweep_test import data_of, model  # noqa: E402

RUNS = 1000
KILLS = 10


class Long(CliTest):
    def setUp(self):
        super().setUp()
        slow = model()
        slow["simulate"] = {"t_end": 6, "output_step": 0.01, "rtol": 1e-10}
        self.model = self.write("m.json", slow)

    def command(self, out, *more):
        return [CLI, "sweep", self.model, "--set", f"m=1:5:{RUNS}", "--measure", "min(tip_y)", "--measure", "rms(tip_y)",
                "--out", self.path(out), "--quiet", *map(str, more)]

    def whole(self):
        subprocess.run(self.command("whole.h5"), check=True, timeout=600)
        data = data_of(self.path("whole.h5"))
        self.assertEqual(set(data["status"]), {"ok"})
        return data

    def killed(self, command, dice, times, runs=RUNS):
        """Starts it and kills it so often, at random within what a kill has of the whole; then it may end. How many rows it had each time."""
        out = command[command.index("--out") + 1]

        def count():
            if not os.path.exists(out + ".rows"):
                return 0
            with open(out + ".rows", "rb") as file:
                return sum(1 for _ in file)

        rows = []
        for _ in range(times):
            enough = count() + dice.uniform(0, 0.8 * runs / times)
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            while process.poll() is None and count() < enough:
                time.sleep(0.002)
            time.sleep(dice.uniform(0, 0.05))
            self.assertIsNone(process.poll(), "it was at its end before it was killed")
            process.send_signal(signal.SIGKILL)
            process.wait()
            rows.append(count())
        subprocess.run(command, check=True, timeout=600)
        return rows

    def test_killed_ten_times(self):
        whole = self.whole()
        dice = random.Random(7)
        for jobs in (1, 2):
            out = f"jobs{jobs}.h5"
            rows = self.killed(self.command(out, "-j", jobs), dice, KILLS)
            self.assertEqual(rows, sorted(rows), "rows were lost")
            self.assertGreater(rows[-1], 0)
            self.assertEqual(data_of(self.path(out)), whole)
            self.assertFalse(os.path.exists(self.path(out) + ".rows"))
            print(f"{jobs} workers: rows at the kills {rows}")
        parts = []
        for shard in range(1, 9):
            parts.append(self.path(f"part{shard}.h5"))
            self.killed(self.command(f"part{shard}.h5", "-j", 2, "--shard", f"{shard}/8"), dice, 2 if shard < 3 else 1, RUNS / 8)
        self.ok("sweep", "merge", *parts, "--out", self.path("merged.h5"))
        self.assertEqual(data_of(self.path("merged.h5")), whole)

    def test_a_worker_that_is_shot_takes_one_row_along(self):
        process = subprocess.Popen(self.command("s.h5", "-j", 2))
        shot = 0
        for _ in range(200):
            time.sleep(0.02)
            found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
            if len(found) == 2 and shot < 3:
                os.kill(int(found[0]), signal.SIGSEGV)
                shot += 1
            if process.poll() is not None:
                break
        self.assertEqual(process.wait(timeout=600), 0)
        data = data_of(self.path("s.h5"))
        self.assertEqual(len(data["status"]), RUNS)
        failed = [m for s, m in zip(data["status"], data["message"]) if s != "ok"]
        self.assertTrue(1 <= len(failed) <= shot, f"{len(failed)} failed, {shot} shot")
        self.assertEqual(set(failed), {"the worker ended by signal 11"})

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed")
    def test_mpirun_starts_the_parts(self):
        whole = self.whole()
        part = " ".join(f"'{word}'" for word in self.command("part.h5", "-j", 1)).replace(
            "part.h5'", "part.'$OMPI_COMM_WORLD_RANK'.h5'")
        launch = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", "bash", "-c",
                  part + " --shard $((OMPI_COMM_WORLD_RANK+1))/$OMPI_COMM_WORLD_SIZE"]
        done = subprocess.run(launch, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.ok("sweep", "merge", *(self.path(f"part.{rank}.h5") for rank in range(4)), "--out", self.path("merged.h5"))
        self.assertEqual(data_of(self.path("merged.h5")), whole)


SLURM = """ClusterName=test
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={port}
SlurmdPort={other}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


@unittest.skipUnless(shutil.which("slurmctld") and shutil.which("slurmd") and shutil.which("munged") and os.getuid() == 0,
                     "slurm-wlm and munge are not installed, or not root")
class Slurm(Long):
    """A cluster of this machine alone, with its own folder, ports and key."""

    def setUp(self):
        super().setUp()
        self.cluster = tempfile.mkdtemp(prefix="slurm-", dir="/tmp")
        self.processes = []
        self.addCleanup(self.stop)
        host = socket.gethostname().split(".")[0]
        for name in ("state", "spool"):
            os.mkdir(os.path.join(self.cluster, name))
        os.chmod(self.cluster, 0o755)
        port, other = free_ports(2)
        config = os.path.join(self.cluster, "slurm.conf")
        with open(config, "w", encoding="utf-8") as file:
            file.write(SLURM.format(host=host, folder=self.cluster, port=port, other=other, cpus=os.cpu_count()))
        munge = os.path.join(self.cluster, "munge.socket")
        key = os.path.join(self.cluster, "munge.key")
        with open(key, "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(key, 0o600)
        with open(config, "a", encoding="utf-8") as file:
            file.write(f"AuthInfo=socket={munge}\n")
        path = os.path.dirname(os.path.abspath(CLI)) + os.pathsep + os.environ["PATH"]  # as where driftless is installed
        self.environment = {**os.environ, "SLURM_CONF": config, "PATH": path}
        self.start("munged", "--foreground", "--force", f"--socket={munge}", f"--key-file={key}",
                   f"--pid-file={self.cluster}/munged.pid", f"--log-file={self.cluster}/munged.log",
                   f"--seed-file={self.cluster}/munged.seed")
        self.wait(lambda: os.path.exists(munge))
        self.start("slurmctld", "-D", "-f", config)
        self.start("slurmd", "-D", "-f", config, "-N", host)
        self.wait(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%t"))

    def start(self, *command):
        with open(os.path.join(self.cluster, command[0] + ".out"), "w") as log:
            self.processes.append(subprocess.Popen([shutil.which(command[0]), *command[1:]], stdout=log, stderr=log,
                                                   env=self.environment, start_new_session=True))

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.cluster, ignore_errors=True)

    def ask(self, *command):
        return subprocess.run(command, capture_output=True, text=True, env=self.environment, timeout=60).stdout

    def wait(self, condition, patience=60):
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                logs = ""
                for name in sorted(os.listdir(self.cluster)):
                    if name.endswith((".log", ".out")):
                        with open(os.path.join(self.cluster, name), errors="replace") as file:
                            logs += f"\n{name}: {file.read()[-600:]}"
                self.fail("it did not happen" + logs)
            time.sleep(0.2)

    def test_job_array(self):
        whole = self.whole()
        script = self.path("job.sh")
        subprocess.run(self.command("s.h5", "-j", 1, "--slurm", script, "--shards", 4), check=True, timeout=60)
        with open(script, encoding="utf-8") as file:
            self.assertIn("--array=1-4", file.read())
        sent = subprocess.run(["sbatch", "--output", os.path.join(self.cluster, "job-%a.log"), script], capture_output=True, text=True,
                              env=self.environment, cwd=self.folder)
        self.assertEqual(sent.returncode, 0, sent.stderr)
        self.wait(lambda: self.ask("squeue", "-h").strip() == "", patience=300)
        parts = [self.path(f"s.{i}.h5") for i in range(1, 5)]
        self.assertTrue(all(map(os.path.exists, parts)), os.listdir(self.folder))
        self.ok("sweep", "merge", *parts, "--out", self.path("merged.h5"))
        self.assertEqual(data_of(self.path("merged.h5")), whole)

    test_killed_ten_times = test_a_worker_that_is_shot_takes_one_row_along = test_mpirun_starts_the_parts = None


if __name__ == "__main__":
    main()
