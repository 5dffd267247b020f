#include "dumpsys/services.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dumpsys/gfxinfo.h"
#include "dumpsys/graphicsstats.h"
#include "dumpsys/output.h"
#include "dumpsys/switches.h"

static const struct service {
    const char *name;
    int (*dump)(int count, char *const *words);
} services[] = {
    {"dejank", dj_switches_dump},
    {"gfxinfo", dj_gfxinfo_dump},
    {"graphicsstats", dj_graphicsstats_dump},
};

enum {
    SERVICE_COUNT = COUNT_OF(services),
    /* Exit status of a wrong option. Android returns −1, which the shell shows as 255. */
    EXIT_USAGE = 255,
    RULE_LENGTH = 79 /* Number of dashes before the heading of a dump. */
};

static const char usage_text[] =
    "usage: dumpsys\n"
    "         To dump all services.\n"
    "or:\n"
    "       dumpsys [-t TIMEOUT] [--help | -l | --skip SERVICES | SERVICE [ARGS]]\n"
    "         --help: shows this help\n"
    "         -l: only list services, do not dump them\n"
    "         -t TIMEOUT_SEC, -T TIMEOUT_MS: ignored, because dumpsys never waits\n"
    "         --skip SERVICES: dumps all services but SERVICES (comma-separated list)\n"
    "         SERVICE [ARGS]: dumps only service SERVICE, optionally passing ARGS to it\n"
    "           gfxinfo [PACKAGE|PID] [framestats] [reset] [since=NS] [--release R]:\n"
    "               frames of recorded apps\n"
    "               since=NS: all rows completed at or after that time\n"
    "               --release R: in the format of that release of Android\n"
    "           graphicsstats [--release R]: what each package rendered in the last "
    "three\n"
    "               days\n"
    "           dejank [version]: shows the version of this program\n"
    "           dejank clock: for each line of input, shows CLOCK_MONOTONIC and\n"
    "               CLOCK_BOOTTIME in ns\n"
    "           dejank profile on|off PACKAGE|PID: switches the simple dump of an app\n";

struct request {
    bool help, list, skip, wrong;
    const char *skipped; /* Value of the option --skip. */
    int service;         /* Index of SERVICE in argv, or argc if there is none. */
};

static int print_help(void)
{
    struct dj_text text = {0};
    dj_text_add(&text, usage_text);
    return dj_output_print_text(&text);
}

/* Returns true if the comma-separated list contains the name. */
static bool list_contains(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (list != NULL && *list != '\0') {
        size_t item = strcspn(list, ",");
        if (item == length && memcmp(list, name, length) == 0) {
            return true;
        }
        list += item + (list[item] == ',');
    }
    return false;
}

static int list_services(const char *skipped)
{
    struct dj_text text = {0};
    dj_text_add(&text, "Currently running services:\n");
    for (size_t i = 0; i < SERVICE_COUNT; i++) {
        dj_text_format(&text, "  %s%s\n", services[i].name,
                       list_contains(skipped, services[i].name) ? " (skipped)" : "");
    }
    return dj_output_print_text(&text);
}

static double compute_seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) +
           (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static int print_header(const char *name)
{
    struct dj_text text = {0};
    for (int i = 0; i < RULE_LENGTH; i++) {
        dj_text_append(&text, "-", 1);
    }
    dj_text_format(&text, "\nDUMP OF SERVICE %s:\n", name);
    return dj_output_print_text(&text);
}

static int print_footer(const char *name, double seconds)
{
    struct dj_text text = {0};
    struct tm local;
    char stamp[32] = "";
    time_t now = time(NULL);
    if (localtime_r(&now, &local) != NULL) {
        strftime(stamp, sizeof(stamp), "%Y-%m-%d %H:%M:%S", &local);
    }
    dj_text_format(&text,
                   "--------- %.3fs was the duration of dumpsys %s, ending at: %s\n",
                   seconds, name, stamp);
    return dj_output_print_text(&text);
}

static int dump_framed(const struct service *service)
{
    static char everything[] = "-a";
    char *const words[] = {everything};
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int status = print_header(service->name);
    status = status != 0 ? status : service->dump(1, words);
    return status != 0 ? status
                       : print_footer(service->name, compute_seconds_since(&start));
}

/* Prints the list of services, and then dumps each service as in a bug report. Android
 * does this if no service is named. */
static int dump_all(const char *skipped)
{
    int status = list_services(skipped);
    for (size_t i = 0; status == 0 && i < SERVICE_COUNT; i++) {
        if (!list_contains(skipped, services[i].name)) {
            status = dump_framed(&services[i]);
        }
    }
    return status;
}

static int dump_one(const char *name, int count, char *const *words)
{
    for (size_t i = 0; i < SERVICE_COUNT; i++) {
        if (strcmp(name, services[i].name) == 0) {
            return services[i].dump(count, words);
        }
    }
    return dj_output_report_no_service(name);
}

static bool is_number(const char *text)
{
    char *end;
    return text != NULL && *text >= '0' && *text <= '9' && strtoll(text, &end, 10) > 0 &&
           *end == '\0';
}

/* Reads the option at argv[i]. Returns its number of words, or 0 if it is not an
 * option. */
static int read_option(int argc, char **argv, int i, struct request *request)
{
    const char *word = argv[i];
    const char *next = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(word, "--help") == 0) {
        request->help = true;
        return 1;
    }
    if (strcmp(word, "-l") == 0) {
        request->list = true;
        return 1;
    }
    if (strcmp(word, "--skip") == 0) {
        request->skip = true;
        request->skipped = next;
        return next != NULL ? 2 : 1;
    }
    if (strncmp(word, "-t", 2) == 0 || strncmp(word, "-T", 2) == 0) {
        bool is_separate = word[2] == '\0';
        request->wrong = request->wrong || !is_number(is_separate ? next : word + 2);
        return is_separate && next != NULL ? 2 : 1;
    }
    return 0;
}

/* Reads the options before the service. A word after the name of a service is never an
 * option of dumpsys. */
static void read_request(int argc, char **argv, struct request *request)
{
    int i = 1;
    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        int words = read_option(argc, argv, i, request);
        if (words == 0) {
            request->wrong = true;
            break;
        }
        i += words;
    }
    request->service = i;
}

int dj_services_run(int argc, char **argv)
{
    struct request request = {0};
    read_request(argc, argv, &request);
    if (request.help) {
        return print_help();
    }
    bool named = request.service < argc;
    if (request.wrong || (request.skip && (request.skipped == NULL || named)) ||
        (request.list && (named || request.skip))) {
        dj_output_write_message(usage_text);
        return EXIT_USAGE;
    }
    if (request.list) {
        return list_services(NULL);
    }
    if (!named) {
        return dump_all(request.skipped);
    }
    return dump_one(argv[request.service], argc - request.service - 1,
                    argv + request.service + 1);
}
