#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stacks/elf/file.h"

static const struct dj_elf_section *find_type(const struct dj_stacks_elf *elf,
                                              uint32_t type)
{
    for (size_t i = 0; i < elf->section_count; i++) {
        if (elf->sections[i].type == type && elf->sections[i].size > 0) {
            return &elf->sections[i];
        }
    }
    return NULL;
}

/* Returns the rank of a symbol. Global symbols rank above weak ones, and weak ones above
 * local ones. Within these groups, symbols with fewer leading underscores rank higher,
 * for example malloc above __libc_malloc. */
static uint8_t rank_symbol(const Elf64_Sym *symbol, const char *name)
{
    enum { UNDERSCORES_MAX = 15, WEAK = 16, GLOBAL = 32 };
    size_t underscores = strspn(name, "_");
    unsigned rank = ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL ? GLOBAL
                    : ELF64_ST_BIND(symbol->st_info) == STB_WEAK ? WEAK
                                                                 : 0;
    return (uint8_t)(rank + UNDERSCORES_MAX -
                     (underscores < UNDERSCORES_MAX ? underscores : UNDERSCORES_MAX));
}

static bool is_function(const Elf64_Sym *symbol)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF &&
           symbol->st_size > 0 && symbol->st_value <= UINT64_MAX - symbol->st_size;
}

static void add_symbols(struct dj_stacks_elf *elf, const uint8_t *table, size_t count)
{
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, table + i * sizeof(symbol), sizeof(symbol));
        if (!is_function(&symbol) || symbol.st_name >= elf->strings_size ||
            elf->strings[symbol.st_name] == '\0') {
            continue;
        }
        DJ_XRESERVE(elf->symbols, capacity, elf->symbol_count + 1);
        elf->symbols[elf->symbol_count++] = (struct dj_elf_symbol){
            .start = symbol.st_value,
            .end = symbol.st_value + symbol.st_size,
            .name = symbol.st_name,
            .rank = rank_symbol(&symbol, elf->strings + symbol.st_name),
        };
    }
}

static int compare_symbols(const void *one, const void *other)
{
    const struct dj_elf_symbol *a = one, *b = other;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return (a->name > b->name) - (a->name < b->name);
}

static void sort_symbols(struct dj_stacks_elf *elf)
{
    uint64_t furthest = 0;
    if (elf->symbol_count == 0) {
        return;
    }
    qsort(elf->symbols, elf->symbol_count, sizeof(*elf->symbols), compare_symbols);
    for (size_t i = 0; i < elf->symbol_count; i++) {
        uint64_t end = elf->symbols[i].end;
        furthest = end > furthest ? end : furthest;
        elf->symbols[i].furthest_end = furthest;
    }
}

static void read_symbols(struct dj_stacks_elf *elf)
{
    const struct dj_elf_section *table = find_type(elf, SHT_SYMTAB);
    table = table != NULL ? table : find_type(elf, SHT_DYNSYM);
    if (table == NULL || table->link >= elf->section_count) {
        return;
    }
    const struct dj_elf_section *strings = &elf->sections[table->link];
    elf->strings = (char *)dj_elf_copy_file(elf, strings->offset, strings->size);
    uint8_t *symbols = dj_elf_copy_file(elf, table->offset, table->size);
    if (elf->strings != NULL && symbols != NULL) {
        elf->strings_size = (size_t)strings->size;
        add_symbols(elf, symbols, (size_t)table->size / sizeof(Elf64_Sym));
        sort_symbols(elf);
    }
    free(symbols);
}

/* Returns the number of symbols that start at or before the address. */
static size_t count_before(const struct dj_stacks_elf *elf, uint64_t address)
{
    size_t low = 0, high = elf->symbol_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (elf->symbols[middle].start <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool dj_stacks_elf_find_symbol(struct dj_stacks_elf *elf, uint64_t address,
                               struct dj_stacks_function *function)
{
    if (!elf->has_read_symbols) {
        elf->has_read_symbols = true;
        read_symbols(elf);
        elf->mini = dj_elf_open_mini(elf);
    }
    for (size_t i = count_before(elf, address);
         i > 0 && elf->symbols[i - 1].furthest_end > address; i--) {
        const struct dj_elf_symbol *symbol = &elf->symbols[i - 1];
        if (symbol->end > address) {
            *function = (struct dj_stacks_function){elf->strings + symbol->name,
                                                    symbol->start, symbol->end};
            return true;
        }
    }
    return elf->mini != NULL && dj_stacks_elf_find_symbol(elf->mini, address, function);
}
