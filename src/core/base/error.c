#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(struct dj_error *err, int code, const char *format, va_list arguments)
{
    err->code = code;
    err->has_offset = 0;
    err->offset = 0;
    vsnprintf(err->message, sizeof(err->message), format, arguments);
}

int dj_error_set(struct dj_error *err, int code, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        fill(err, code, format, arguments);
        va_end(arguments);
    }
    return code;
}

int dj_error_set_at(struct dj_error *err, int code, long long offset, const char *format,
                    ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        fill(err, code, format, arguments);
        va_end(arguments);
        err->offset = offset;
        err->has_offset = 1;
    }
    return code;
}

void dj_error_prepend(struct dj_error *err, const char *format, ...)
{
    if (err == NULL) {
        return;
    }
    char inner[sizeof(err->message)];
    memcpy(inner, err->message, sizeof(inner));
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(err->message, sizeof(err->message), format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof(err->message)) {
        snprintf(err->message + length, sizeof(err->message) - (size_t)length, ": %s",
                 inner);
    }
}
