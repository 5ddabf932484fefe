-- vgpu.lua: vgpu/README.md as the page vgpu(7). Its title becomes NAME, what is for who changes the
-- virtual GPU is left out, links are their text (a man page leads nowhere), tables are lists of
-- terms. Code is bold and examples are .EX: pandoc's own fonts for them are groff's alone.
local left_out = { ["how-the-pieces-fit"] = false, ["adding-a-call"] = false }

local function term_of(cell)
    return pandoc.utils.blocks_to_inlines(cell.contents)
end

-- The first column names what the second one explains; a third has the value by default.
local function list_of(tab)
    local items = pandoc.List()
    for _, row in ipairs(tab.bodies[1].body) do
        local meaning = term_of(row.cells[2])
        if row.cells[3] and pandoc.utils.stringify(row.cells[3].contents) ~= "–" then
            meaning:extend({ pandoc.Str(" (default: ") })
            meaning:extend(term_of(row.cells[3]))
            meaning:extend({ pandoc.Str(")") })
        end
        items:insert({ term_of(row.cells[1]), { { pandoc.Plain(meaning) } } })
    end
    return pandoc.DefinitionList(items)
end

local function example_of(block)
    local text = block.text:gsub("\\", "\\e"):gsub("-", "\\-"):gsub("^([.'])", "\\&%1")
        :gsub("\n([.'])", "\n\\&%1")
    return pandoc.RawBlock("man", ".sp\n.RS 4\n.EX\n" .. text .. "\n.EE\n.RE")
end

local look = {
    Table = list_of,
    CodeBlock = example_of,
    Code = function(code) return pandoc.Strong({ pandoc.Str(code.text) }) end,
    Link = function(link) return link.content end,
}

function Pandoc(doc)
    local blocks, leaving = pandoc.List(), false
    for _, block in ipairs(doc.blocks) do
        if block.t == "Header" and block.level <= 2 then
            leaving = left_out[block.identifier] ~= nil
            if leaving then left_out[block.identifier] = true end
        end
        if block.t == "Header" and block.level == 1 then
            blocks:insert(pandoc.Header(1, "NAME"))
            blocks:insert(pandoc.Para("vgpu - runs CUDA C++ programs on the CPU, and says what is "
                .. "wrong with them"))
            blocks:insert(pandoc.Header(1, "DESCRIPTION"))
        elseif block.t == "Header" and not leaving then
            local words = pandoc.utils.stringify(block)
            local level = block.level - 1
            blocks:insert(pandoc.Header(level, level == 1 and pandoc.text.upper(words) or words))
        elseif not leaving then
            blocks:insert(block)
        end
    end
    for heading, seen in pairs(left_out) do
        if not seen then error("vgpu/README.md has no heading " .. heading) end
    end
    blocks:insert(pandoc.Header(1, "SEE ALSO"))
    blocks:insert(pandoc.Para("vgpucc(1), vgpu-report(1)"))
    doc.blocks = blocks
    doc.meta.title = "VGPU"
    doc.meta.section = "7"
    return doc:walk(look)
end
