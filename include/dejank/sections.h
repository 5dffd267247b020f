/*
 * dejank/sections.h: what a program does, and when, as named sections, for
 * `dejank trace read` beside its frames.
 *
 *     dejank_section_begin("layout");
 *     ...
 *     dejank_section_end();
 *
 * Links with -ldejank (pkg-config dejank); C and C++ (there also dejank::Section). The
 * shape is that of Android's ATrace.
 *
 * Everything here may be called by any thread at any time, also in signal handlers. It
 * never fails, blocks, allocates, prints or changes errno. The process's first section
 * creates its file, a thread's first one takes a ring in it (file I/O once for each);
 * from then on an event costs a clock read and a few stores. Each thread keeps its newest
 * events; what they overwrote, and what could not be recorded, is counted and said by the
 * reader. Sections of a fork()ed child, and of a program that replaces this one by
 * exec(), go to files of their own.
 *
 * They are recorded unless the environment variable DEJANK_SECTIONS is "off" or
 * dejank_sections_enable(false) was called.
 */
#ifndef DEJANK_SECTIONS_H
#define DEJANK_SECTIONS_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stdint.h>
#include <string.h>

#ifndef DEJANK_API
#define DEJANK_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Names are copied: at most 127 bytes, UTF-8 by custom; what is longer is cut there. */
enum { DEJANK_NAME_MOST = 127 };

/* What dejank_section_write() takes; the functions below are how to call it. */
enum dejank_section_kind {
    DEJANK_SECTION_BEGIN = 1,
    DEJANK_SECTION_END = 2,
    DEJANK_SECTION_ASYNC_BEGIN = 3,
    DEJANK_SECTION_ASYNC_END = 4,
    DEJANK_COUNTER = 5
};

/* 1 while sections are recorded. Read it through dejank_sections_enabled(); written by
 * the library alone. */
extern DEJANK_API int dejank_sections_on;

/* Records an event, whether or not they are switched on. name: `length` bytes, need not
 * end with a NUL; value: the cookie of an async section or the counter's value, else 0.
 */
DEJANK_API void dejank_section_write(enum dejank_section_kind kind, const char *name,
                                     size_t length, int64_t value);

/* Switches recording on or off, for the whole process, at once. Sections begun before it
 * was switched off stay without an end. */
DEJANK_API void dejank_sections_enable(bool on);

/* True while sections are recorded: to spare the work of making a name. */
static inline bool dejank_sections_enabled(void)
{
    return __atomic_load_n(&dejank_sections_on, __ATOMIC_RELAXED) != 0;
}

/* Begins a section of the calling thread, inside those it has begun and not ended. name:
 * not NULL; it is copied. */
static inline void dejank_section_begin(const char *name)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_BEGIN, name, strlen(name), 0);
    }
}

/* Ends the section that the calling thread has begun last. */
static inline void dejank_section_end(void)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_END, "", 0, 0);
    }
}

/* Begins a section that need not be nested and may end on another thread. Name and cookie
 * together tell it from others under way. */
static inline void dejank_section_begin_async(const char *name, int64_t cookie)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_ASYNC_BEGIN, name, strlen(name), cookie);
    }
}

/* Ends the async section of this name and cookie, begun by whatever thread. */
static inline void dejank_section_end_async(const char *name, int64_t cookie)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_ASYNC_END, name, strlen(name), cookie);
    }
}

/* The value of a counter from now on: bytes held, items queued. */
static inline void dejank_counter_set(const char *name, int64_t value)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_COUNTER, name, strlen(name), value);
    }
}

#ifdef __cplusplus
}

namespace dejank
{

/* A section as long as the block it stands in:  dejank::Section section("layout");  One
 * that was begun while sections were off has no end either. */
class Section
{
  public:
    explicit Section(const char *name) : begun_(dejank_sections_enabled())
    {
        if (begun_) {
            dejank_section_write(DEJANK_SECTION_BEGIN, name, strlen(name), 0);
        }
    }
    ~Section()
    {
        if (begun_) {
            dejank_section_write(DEJANK_SECTION_END, "", 0, 0);
        }
    }
    Section(const Section &) = delete;
    Section &operator=(const Section &) = delete;

  private:
    bool begun_;
};

} // namespace dejank
#endif

#endif
