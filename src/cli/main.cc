#include <csignal>

#include "cli/command.h"

int main(int argc, char** argv) {
    // A limit on file sizes shows as a failed write, like a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    return medley::cli::run_program(argc, argv);
}
