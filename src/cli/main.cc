#include "cli/command.h"

int main(int argc, char** argv) { return medley::cli::run_program(argc, argv); }
