#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/count_of.h"
#include "cli/help.h"
#include "cli/parser.h"
#include "cli/verbs.h"
#include "memory/memory.h"
#include "plan/suggest.h"
#include "store/url.h"

static const char *running_verb = "";

/* Prints an error and ends the program. Allocates nothing. If several threads call this
 * function, the first one ends the program. */
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
    (void)written; /* A failed write cannot be reported. */
    _exit(DJ_EXIT_INTERNAL);
}

/* Returns VALUE of an option "--store=VALUE", or the whole argument. */
static char *find_value(char *argument)
{
    char *value = argument[0] == '-' ? strchr(argument, '=') : NULL;
    return value != NULL ? value + 1 : argument;
}

/* Overwrites a password in the original memory of an argument, because programs that list
 * processes read that memory. Makes *argument point to a copy, which still contains the
 * password for dejank itself. */
static void hide_password(char **argument)
{
    char *place = find_value(*argument);
    struct dj_text shown = {0};
    dj_store_url_format(place, &shown);
    size_t length = strlen(place);
    if (strcmp(dj_xtext(&shown), place) != 0) {
        /* Not freed, because the string is used until the program ends. */
        *argument = dj_xstrdup(*argument);
        memset(place, 0, length);
        memcpy(place, shown.data, shown.length < length ? shown.length : length);
    }
    dj_text_finish(&shown);
}

/* Hides the passwords of URLs from programs that list processes. argv keeps them. Other
 * users may have seen a password before this function ran. docs/format/store.md describes
 * better places for passwords. */
static void hide_passwords(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (dj_store_url_is_postgres(find_value(argv[i]))) {
            hide_password(&argv[i]);
        }
    }
}

/* Flushes stdout and reports a failed write, because the help and the version are
 * results, too. Returns `result`, or the exit code for the failure. */
static int flush_output(int result)
{
    if (fflush(stdout) != 0) {
        fprintf(stderr, "dejank: cannot write to the standard output: %s\n",
                strerror(errno));
        return DJ_EXIT_DATA;
    }
    return result;
}

static int print_to(FILE *stream, struct dj_text *text, int result)
{
    fputs(dj_xtext(text), stream);
    dj_text_finish(text);
    return result;
}

static bool is_help_option(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Hints at the most similar verb. `topic` is the first word of the verb, or NULL. */
static void suggest_verb(const char *word, const char *topic)
{
    struct dj_suggestion suggestion = {.word = dj_str_of(word)};
    for (size_t i = 0; dj_cli_verb_at(i) != NULL; i++) {
        struct dj_str name = dj_str_of(dj_cli_verb_at(i)->name);
        struct dj_str first = {name.at, strcspn(name.at, " ")};
        struct dj_str second = dj_str_from(name, first.length);
        second = second.length > 0 ? dj_str_from(second, 1) : second;
        if (topic == NULL) {
            dj_plan_suggestion_add(&suggestion, first, first);
        }
        if (topic == NULL || dj_str_is(first, topic)) {
            dj_plan_suggestion_add(&suggestion, second, name);
        }
    }
    if (suggestion.best.length > 0) {
        dj_cli_print_hint("did you mean '%.*s'?", (int)suggestion.best.length,
                          suggestion.best.at);
    }
}

static int reject_verb(const char *word, const char *topic)
{
    dj_cli_set_verb_name(topic != NULL ? topic : "");
    dj_cli_print_message("unknown %s '%s'", word[0] == '-' ? "option" : "verb", word);
    suggest_verb(word, topic);
    dj_cli_print_hint("'dejank %s%s--help' lists all verbs%s%s",
                      topic != NULL ? topic : "", topic != NULL ? " " : "",
                      topic != NULL ? " of " : "", topic != NULL ? topic : "");
    return DJ_EXIT_USAGE;
}

/* Handles a first word that is a part of several verbs' names, such as "trace". */
static int run_topic(int argc, char **argv)
{
    struct dj_text text = {0};
    if (argc > 1 && !is_help_option(argv[1])) {
        return reject_verb(argv[1], argv[0]);
    }
    dj_help_append_topic(&text, argv[0]);
    return argc > 1 ? print_to(stdout, &text, DJ_EXIT_OK)
                    : print_to(stderr, &text, DJ_EXIT_USAGE);
}

/* Prints the help of all verbs, or of the verb or topic that the words name. */
static int run_help(int argc, char **argv)
{
    struct dj_text text = {0};
    int word_count;
    const struct dj_verb *verb = dj_verb_find(argc, argv, &word_count);
    bool is_topic = verb == NULL && argc > 0 && dj_verb_is_topic(argv[0]);
    if (argc == 0) {
        dj_help_append_overview(&text);
    } else if (verb != NULL) {
        dj_help_append_verb(&text, verb, argc > word_count ? argv[word_count] : NULL);
    } else if (is_topic && argc == 1) {
        dj_help_append_topic(&text, argv[0]);
    } else {
        return reject_verb(argv[is_topic], is_topic ? argv[0] : NULL);
    }
    return print_to(stdout, &text, DJ_EXIT_OK);
}

static int run_words(int argc, char **argv)
{
    int word_count;
    const struct dj_verb *verb = dj_verb_find(argc, argv, &word_count);
    if (verb != NULL) {
        running_verb = verb->name;
        return dj_cli_run_verb(verb, argc - word_count + 1, argv + word_count - 1);
    }
    if (strcmp(argv[0], "--version") == 0) {
        puts("dejank " DEJANK_VERSION);
        return DJ_EXIT_OK;
    }
    if (strcmp(argv[0], "help") == 0) {
        return run_help(argc - 1, argv + 1);
    }
    if (is_help_option(argv[0])) {
        return run_help(0, NULL);
    }
    return dj_verb_is_topic(argv[0]) ? run_topic(argc, argv) : reject_verb(argv[0], NULL);
}

int main(int argc, char **argv)
{
    dj_memory_on_failure(end_without_memory);
    if (argc < 2) {
        fputs("usage: dejank VERB [OPTION]… [OPERAND]…\n", stderr);
        dj_cli_print_hint("'dejank --help' lists all verbs");
        return DJ_EXIT_USAGE;
    }
    hide_passwords(argc, argv);
    return flush_output(run_words(argc - 1, argv + 1));
}
