#include "cli/trace_input.h"

#include <sys/stat.h>

#include "cli/options.h"

int dj_trace_input_code(int code)
{
    static const int of_files[] = {DJ_E_NOT_FOUND, DJ_E_IO, DJ_E_OWNER, DJ_E_GONE};
    for (size_t i = 0; i < sizeof(of_files) / sizeof(of_files[0]); i++) {
        if (code == of_files[i]) {
            return DJ_E_NO_DATA;
        }
    }
    return code;
}

/* A shell's <(…) is a link to a pipe, and is being written to. */
void dj_trace_input_wait(const char *verb, const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISFIFO(status.st_mode)) {
        dj_complain(verb, "%s is a pipe: waiting for what writes a trace to it", path);
    }
}
