/* dumpsys [-l | --help | SERVICE [WORD…]]: Android's command, with the services a Linux
 * device has. */
#include <stdio.h>
#include <string.h>

#include "dumpsys/gfxinfo.h"
#include "dumpsys/output.h"
#include "dumpsys/switches.h"

static const struct {
    const char *name;
    int (*dump)(int count, char *const *words);
} services[] = {
    {"dejank", dj_dump_dejank},
    {"gfxinfo", dj_dump_gfxinfo},
};

enum { SERVICE_COUNT = sizeof(services) / sizeof(services[0]) };

static const char help_text[] =
    "usage: dumpsys\n"
    "         To dump all services.\n"
    "or:\n"
    "       dumpsys [--help | -l | SERVICE [ARGS]]\n"
    "         --help: shows this help\n"
    "         -l: only list services, do not dump them\n"
    "         gfxinfo [PACKAGE|PID] [framestats] [reset] [since=NS] [--release R]:\n"
    "             frames of recorded apps; every row completed from NS on; as Android R "
    "prints\n"
    "         dejank [version]: this program's version\n"
    "         dejank profile on|off PACKAGE|PID: switches an app's simple dump\n";

static int print(const char *string)
{
    struct dj_text text = {0};
    dj_text_string(&text, string);
    return dj_output_text(&text);
}

static int list_services(void)
{
    struct dj_text text = {0};
    dj_text_string(&text, "Currently running services:\n");
    for (size_t i = 0; i < SERVICE_COUNT; i++) {
        dj_text_format(&text, "  %s\n", services[i].name);
    }
    return dj_output_text(&text);
}

/* Without a service Android lists them, then dumps each as a bug report does. */
static int dump_all(void)
{
    static char everything[] = "-a";
    char *const words[] = {everything};
    int status = list_services();
    for (size_t i = 0; status == 0 && i < SERVICE_COUNT; i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "%.79s\nDUMP OF SERVICE %s:\n",
                       "----------------------------------------"
                       "---------------------------------------",
                       services[i].name);
        status = dj_output_text(&text);
        status = status != 0 ? status : services[i].dump(1, words);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        return dump_all();
    }
    if (strcmp(argv[1], "--help") == 0) {
        return print(help_text);
    }
    if (strcmp(argv[1], "-l") == 0) {
        return list_services();
    }
    for (size_t i = 0; i < SERVICE_COUNT; i++) {
        if (strcmp(argv[1], services[i].name) == 0) {
            return services[i].dump(argc - 2, argv + 2);
        }
    }
    /* Android's words, without a prefix, and its exit status: 0 (frameworks/native,
     * cmds/dumpsys/dumpsys.cpp). */
    fprintf(stderr, "Can't find service: %s\n", argv[1]);
    return 0;
}
