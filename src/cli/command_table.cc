#include <array>

#include "cli/cmd_cluster.h"
#include "cli/cmd_compare.h"
#include "cli/cmd_gpus.h"
#include "cli/cmd_models.h"
#include "cli/cmd_plan.h"
#include "cli/cmd_policies.h"
#include "cli/cmd_profile.h"
#include "cli/cmd_report.h"
#include "cli/cmd_resize.h"
#include "cli/cmd_run.h"
#include "cli/cmd_simulate.h"
#include "cli/cmd_status.h"
#include "cli/cmd_trace.h"
#include "cli/cmd_worker.h"
#include "cli/command.h"

namespace medley::cli {

std::span<const Command> known_commands() {
    static constexpr std::array kCommands = {
        Command{"plan", "Spread one job over unequal GPUs: uneven virtual nodes",
                "medley plan --model resnet50 --global-batch 8192 --gpus V100=2,P100=8 --profiles profiles", set_up_plan},
        Command{"simulate", "Play a trace under one scheduling policy",
                "medley simulate --cluster profiles/clusters/8xV100.yaml --trace traces/virtualflow-elastic-20.csv "
                "--profiles profiles/virtualflow-elastic --policy wfs --out build/results",
                set_up_simulate},
        Command{"compare", "Play traces under several policies and rank them",
                "medley compare --cluster profiles/clusters/8xV100.yaml --trace traces/virtualflow-elastic-20.csv "
                "--profiles profiles/virtualflow-elastic --policies 'fifo;priority;wfs'",
                set_up_compare},
        Command{"report", "Results as one HTML file with pictures, to read anywhere",
                "medley report tests/data/report/small -o build/report.html", set_up_report},
        Command{"run", "Carry out a plan on real workers",
                "medley run profiles/jobs/mixed-plan.yaml --job profiles/jobs/emulated.yaml --dry-run", set_up_run},
        Command{"resize", "Give a running job other devices, without a restart", "medley resize gpt-small --to V100=1,P100=2",
                set_up_resize},
        Command{"status", "What a running job is doing", "medley status gpt-small", set_up_status},
        Command{"list", "The runs of a folder", "medley list --runs runs", set_up_list},
        Command{"cancel", "End a running job, after a checkpoint", "medley cancel gpt-small", set_up_cancel},
        Command{"worker", "One worker of a run; started by run, by Slurm, or by hand", "medley worker --run runs/gpt-small --number 3",
                set_up_worker},
        Command{"profile measure", "Measure a model on this machine's devices, for plan",
                "medley profile measure --job profiles/jobs/emulated.yaml --gpu-type V100 --max-size 16 -o build/emulated-profile.yaml",
                set_up_profile_measure},
        Command{"profile import", "Turn public profiles into ours",
                "medley profile import tests/data/cli/throughputs-sample.csv --format throughputs -o build/imported-profiles",
                set_up_profile_import},
        Command{"profile calibrate", "Bring a profile in line with what a run measured",
                "medley profile calibrate gpt-small -o build/calibrated-profile.yaml", set_up_profile_calibrate},
        Command{"trace import", "Turn a public trace into ours",
                "medley trace import --format itp tests/data/cli/itp-sample.csv -o build/trace.csv --models resnet50=256,bert-base-sst2=64",
                set_up_trace_import},
        Command{"trace export", "Write a trace, ordered and complete, for other programs",
                "medley trace export traces/virtualflow-elastic-20.csv --format jsonl -o build/trace.jsonl", set_up_trace_export},
        Command{"trace generate", "Make up a trace: Poisson arrivals, log-uniform durations",
                "medley trace generate --jobs 1000 --load 0.8 --gpus 64 --seed 1 -o build/generated.csv", set_up_trace_generate},
        Command{"trace summarize", "What a trace asks for, in figures", "medley trace summarize traces/virtualflow-elastic-20.csv",
                set_up_trace_summarize},
        Command{"trace validate", "Check a trace, alone or against a cluster",
                "medley trace validate traces/virtualflow-elastic-20.csv --cluster profiles/clusters/8xV100.yaml", set_up_trace_validate},
        Command{"cluster validate", "Check a cluster file and say what is in it", "medley cluster validate profiles/clusters/8xV100.yaml",
                set_up_cluster_validate},
        Command{"cluster import", "Make a cluster file, and a site's rules, of what Slurm says of itself",
                "medley cluster import --format slurm tests/data/slurm/nodes.txt tests/data/slurm/partitions.txt "
                "tests/data/slurm/config.txt -o build/site.yaml --rules build/rules.yaml",
                set_up_cluster_import},
        Command{"cluster detect", "Make a cluster file of this machine's devices", "medley cluster detect -o build/this-machine.yaml",
                set_up_cluster_detect},
        Command{"policies", "The scheduling policies", "medley policies wfs", set_up_policies},
        Command{"models", "The profiled models", "medley models --profiles profiles", set_up_models},
        Command{"gpus", "The known GPU types", "medley gpus", set_up_gpus},
    };
    return kCommands;
}

}  // namespace medley::cli
