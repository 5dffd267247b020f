#include "cli/trace_input.h"

#include <stddef.h>

int dj_trace_input_code(int code)
{
    static const int of_files[] = {DJ_E_NOT_FOUND, DJ_E_IO, DJ_E_OWNER, DJ_E_GONE};
    for (size_t i = 0; i < COUNT_OF(of_files); i++) {
        if (code == of_files[i]) {
            return DJ_E_NO_DATA;
        }
    }
    return code;
}
