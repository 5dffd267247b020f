#include "cli/verbs.h"
static int run(int argc, char **argv) { (void)argc; (void)argv; return DJ_EXIT_OK; }
const struct dj_verb dj_verb_record = {.name = "record", .synopsis = "", .summary = "", .run = run};
