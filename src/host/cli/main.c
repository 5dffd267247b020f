#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/verbs.h"

static const struct dj_verb *const verbs[] = {
    &dj_verb_collect, &dj_verb_compare, &dj_verb_devices, &dj_verb_doctor,
    &dj_verb_gate,    &dj_verb_history, &dj_verb_import,  &dj_verb_list,
    &dj_verb_parse,   &dj_verb_profile, &dj_verb_record,  &dj_verb_report,
    &dj_verb_run,     &dj_verb_script,  &dj_verb_show,    &dj_verb_store,
    &dj_verb_trace,
};
enum { VERB_COUNT = sizeof(verbs) / sizeof(verbs[0]) };

static void print_usage(FILE *stream)
{
    fputs(
        "usage: dejank VERB …\n\n"
        "Proves how smoothly a user interface renders, and says why when it does not.\n\n"
        "verbs:\n",
        stream);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        fprintf(stream, "  %-9s %s\n", verbs[i]->name, verbs[i]->summary);
    }
    fputs("\n`dejank VERB --help` tells more. Exit codes: 0 fine, 1 a regression or "
          "failed objective,\n"
          "2 usage, 3 device or transport, 4 bad or no data, or a result that cannot be "
          "written,\n"
          "5 internal, 6 undecided.\n",
          stream);
}

static const struct dj_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(verbs[i]->name, name) == 0) {
            return verbs[i];
        }
    }
    return NULL;
}

/* Help and version are a result, too. */
static int written(int result)
{
    if (fflush(stdout) != 0) {
        fprintf(stderr, "dejank: cannot write to the standard output: %s\n",
                strerror(errno));
        return DJ_EXIT_DATA;
    }
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return DJ_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("dejank " DEJANK_VERSION);
        return written(DJ_EXIT_OK);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return written(DJ_EXIT_OK);
    }
    dj_arguments_hide(argc, argv);
    const struct dj_verb *verb = find_verb(argv[1]);
    if (verb != NULL) {
        return written(verb->run(argc - 1, argv + 1));
    }
    fprintf(stderr, "dejank: there is no verb '%s'\n", argv[1]);
    print_usage(stderr);
    return DJ_EXIT_USAGE;
}
