#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/count_of.h"
#include "cli/verbs.h"
#include "memory/memory.h"
#include "store/url.h"

#define ROW(name) &dj_verb_##name,
static const struct dj_verb *const verbs[] = {DJ_VERBS(ROW)};
enum { VERB_COUNT = COUNT_OF(verbs) };

static void print_usage(FILE *stream)
{
    fputs(
        "usage: dejank VERB …\n\n"
        "Proves how smoothly a user interface renders, and says why when it does not.\n\n"
        "verbs:\n",
        stream);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        fprintf(stream, "  %-14s %s\n", verbs[i]->name, verbs[i]->summary);
    }
    fputs("\n`dejank VERB --help` tells more. Exit codes: 0 fine, 1 a regression or "
          "failed objective,\n"
          "2 usage, 3 device or transport, 4 bad or no data, or a result that cannot be "
          "written,\n"
          "5 internal, 6 undecided.\n",
          stream);
}

/* The number of words of argv that form the verb's name. 0: it is another verb. */
static int count_verb_words(const char *name, int argc, char **argv)
{
    const char *second = strchr(name, ' ');
    size_t length = second != NULL ? (size_t)(second - name) : strlen(name);
    if (strncmp(argv[1], name, length) != 0 || argv[1][length] != '\0') {
        return 0;
    }
    if (second == NULL) {
        return 1;
    }
    return argc > 2 && strcmp(argv[2], second + 1) == 0 ? 2 : 0;
}

static const char *running_verb = "";

/* Allocates nothing. Of several threads, the first ends the program. */
static void end_without_memory(void)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending)) {
        pause();
    }
    struct iovec parts[] = {
        {.iov_base = "dejank ", .iov_len = *running_verb != '\0' ? 7 : 6},
        {.iov_base = (char *)running_verb, .iov_len = strlen(running_verb)},
        {.iov_base = ": out of memory\n", .iov_len = strlen(": out of memory\n")},
    };
    bool written = writev(STDERR_FILENO, parts, COUNT_OF(parts)) > 0;
    (void)written; /* there is nothing else to do */
    _exit(DJ_EXIT_INTERNAL);
}

/* The value of "--store=VALUE", or the whole argument. */
static char *find_value(char *argument)
{
    char *value = argument[0] == '-' ? strchr(argument, '=') : NULL;
    return value != NULL ? value + 1 : argument;
}

/* The system shows the bytes that were here when the program began. */
static void hide_password(char **argument)
{
    char *place = find_value(*argument);
    struct dj_text shown = {0};
    dj_store_url_format(place, &shown);
    size_t length = strlen(place);
    if (strcmp(dj_xtext(&shown), place) != 0) {
        *argument = dj_xstrdup(*argument); /* for as long as the program runs */
        memset(place, 0, length);
        memcpy(place, shown.data, shown.length < length ? shown.length : length);
    }
    dj_text_finish(&shown);
}

/* Hides the passwords of URLs from programs that list the arguments of processes; argv
 * keeps them. For a moment before that, other users may have seen them:
 * docs/format/store.md describes better places. */
static void hide_passwords(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (dj_store_url_is_postgres(find_value(argv[i]))) {
            hide_password(&argv[i]);
        }
    }
}

/* Help and version are results, too: a failed write is an error. */
static int flush_output(int result)
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
    dj_memory_on_failure(end_without_memory);
    if (argc < 2) {
        print_usage(stderr);
        return DJ_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("dejank " DEJANK_VERSION);
        return flush_output(DJ_EXIT_OK);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return flush_output(DJ_EXIT_OK);
    }
    hide_passwords(argc, argv);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        int words = count_verb_words(verbs[i]->name, argc, argv);
        if (words > 0) {
            running_verb = verbs[i]->name;
            return flush_output(dj_cli_run_verb(verbs[i], argc - words, argv + words));
        }
    }
    fprintf(stderr, "dejank: there is no verb '%s'%s%s%s\n", argv[1],
            argc > 2 ? " with '" : "", argc > 2 ? argv[2] : "", argc > 2 ? "'" : "");
    print_usage(stderr);
    return DJ_EXIT_USAGE;
}
