//! C#: solutions, projects, MSBuild files (SPEC P1).

use crate::support::{Case, answer, check, projects};

const CASES: &[Case] = &[
    (
        "an SDK project owns its folder without what is built",
        r#"
//- App/App.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
//- App/Program.cs App/Sub/X.cs App/bin/Debug/Y.cs App/obj/Z.cs App/.vs/W.cs App/readme.md App/Page.razor Other/O.cs"#,
        &[
            ("of App/Page.razor", "App/App.csproj"),
            ("files App/App.csproj", "App/Program.cs App/Sub/X.cs"),
            ("of App/Sub/X.cs", "App/App.csproj"),
            ("of App/New.cs", "App/App.csproj"),
            ("of Other/O.cs", "."),
            ("App/App.csproj /tfm", r#""net8.0""#),
            ("App/App.csproj /include", r#"["App/**/*.cs"]"#),
            ("App/App.csproj /dotnet/assemblyName", r#""App""#),
            ("problems", ""),
        ],
    ),
    (
        "compile items are taken out and in",
        r#"
//- A/A.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <ItemGroup>
    <Compile Remove="Old\**" />
    <Compile Remove="No.cs;Never.cs" />
    <Compile Include="Old\Kept.cs" />
    <Compile Include="..\Shared\**\*.cs" Exclude="..\Shared\Skip\**" Link="S\%(Filename).cs" />
    <Compile Update="Yes.cs"><DependentUpon>X.resx</DependentUpon></Compile>
  </ItemGroup>
</Project>
//- A/Yes.cs A/No.cs A/Never.cs A/Old/Gone.cs A/Old/Kept.cs Shared/S.cs Shared/Skip/T.cs"#,
        &[
            ("files A/A.csproj", "A/Old/Kept.cs A/Yes.cs Shared/S.cs"),
            ("A/A.csproj /dotnet/linked", r#"["Shared/S.cs"]"#),
            ("of Shared/Skip/T.cs", "."),
        ],
    ),
    (
        "default items can be switched off",
        r#"
//- A/A.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><EnableDefaultCompileItems>false</EnableDefaultCompileItems></PropertyGroup>
  <ItemGroup><Compile Include="a.cs" /></ItemGroup>
</Project>
//- B/B.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><DefaultItemExcludes>$(DefaultItemExcludes);gen/**</DefaultItemExcludes>
    <BaseIntermediateOutputPath>out\</BaseIntermediateOutputPath></PropertyGroup>
</Project>
//- A/a.cs A/b.cs B/b.cs B/gen/g.cs B/out/o.cs"#,
        &[
            ("files A/A.csproj", "A/a.cs"),
            ("files B/B.csproj", "B/b.cs"),
        ],
    ),
    (
        "a project of the old style lists its files",
        r#"
//- Old/Old.csproj
<?xml version="1.0" encoding="utf-8"?>
<Project ToolsVersion="4.0" DefaultTargets="Build" xmlns="http://schemas.microsoft.com/developer/msbuild/2003">
  <Import Project="$(MSBuildExtensionsPath)\$(MSBuildToolsVersion)\Microsoft.Common.props" Condition="Exists('$(MSBuildExtensionsPath)\x')" />
  <PropertyGroup>
    <RootNamespace>Some.Old</RootNamespace>
    <TargetFrameworkVersion>v4.7.2</TargetFrameworkVersion>
    <Configuration Condition=" '$(Configuration)' == '' ">Debug</Configuration>
  </PropertyGroup>
  <PropertyGroup Condition=" '$(Configuration)|$(Platform)' == 'Debug|AnyCPU' "><DefineConstants>DEBUG;TRACE</DefineConstants></PropertyGroup>
  <PropertyGroup Condition=" '$(Configuration)|$(Platform)' == 'Release|AnyCPU' "><DefineConstants>TRACE</DefineConstants></PropertyGroup>
  <ItemGroup><Compile Include="Program.cs" /><Compile Include="Properties\assemblyinfo.cs" /></ItemGroup>
  <Import Project="$(MSBuildToolsPath)\Microsoft.CSharp.targets" />
</Project>
//- Old/Program.cs Old/Unlisted.cs Old/Properties/AssemblyInfo.cs"#,
        &[
            (
                "files Old/Old.csproj",
                "Old/Program.cs Old/Properties/AssemblyInfo.cs",
            ),
            ("Old/Old.csproj /tfm", r#""net472""#),
            ("Old/Old.csproj /dotnet/rootNamespace", r#""Some.Old""#),
            (
                "Old/Old.csproj /dotnet/targets/0/defineConstants",
                r#"["DEBUG","TRACE"]"#,
            ),
            ("Old/Old.csproj /dotnet/sdk", "nothing"),
            ("of Old/Unlisted.cs", "."),
            ("problems", ""),
        ],
    ),
    (
        "an old project keeps its framework below a Directory.Build.props",
        r#"
//- Directory.Build.props
<Project><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>
//- Old/Old.csproj
<Project ToolsVersion="15.0" xmlns="http://schemas.microsoft.com/developer/msbuild/2003">
  <Import Project="$(MSBuildExtensionsPath)\$(MSBuildToolsVersion)\Microsoft.Common.props" />
  <PropertyGroup><TargetFrameworkVersion>v4.8</TargetFrameworkVersion></PropertyGroup>
  <ItemGroup><Compile Include="Program.cs" /></ItemGroup>
  <Import Project="$(MSBuildToolsPath)\Microsoft.CSharp.targets" />
</Project>
//- New/New.csproj
<Project Sdk="Microsoft.NET.Sdk" />
//- Old/Program.cs New/Program.cs"#,
        &[
            ("Old/Old.csproj /tfm", r#""net48""#),
            ("New/New.csproj /tfm", r#""net9.0""#),
        ],
    ),
    (
        "properties come from above, the nearest file only unless it imports the next",
        r#"
//- Directory.Build.props
<Project><PropertyGroup><LangVersion>latest</LangVersion><Nullable>enable</Nullable><Top>$(MSBuildThisFileDirectory)</Top></PropertyGroup></Project>
//- src/Directory.Build.props
<Project>
  <Import Project="$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))" />
  <PropertyGroup><Nullable>disable</Nullable><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
//- src/A/A.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <ItemGroup><ProjectReference Include="$(Top)lib\B\B.csproj" /></ItemGroup>
</Project>
//- lib/Directory.Build.targets
<Project><PropertyGroup><RootNamespace>Late.$(MSBuildProjectName)</RootNamespace></PropertyGroup></Project>
//- lib/B/B.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><RootNamespace>Early</RootNamespace></PropertyGroup></Project>"#,
        &[
            ("src/A/A.csproj /tfm", r#""net9.0""#),
            (
                "src/A/A.csproj /dotnet/targets/0/langVersion",
                r#""latest""#,
            ),
            ("src/A/A.csproj /dotnet/targets/0/nullable", r#""disable""#),
            (
                "src/A/A.csproj /dotnet/imports",
                r#"["src/Directory.Build.props","Directory.Build.props"]"#,
            ),
            ("refs src/A/A.csproj", "B>lib/B/B.csproj"),
            ("lib/B/B.csproj /dotnet/rootNamespace", r#""Late.B""#),
            ("lib/B/B.csproj /dotnet/targets/0/nullable", r#""enable""#),
            ("problems", ""),
        ],
    ),
    (
        "the next file above, found by MSBuild's own properties",
        r#"
//- Directory.Build.props
<Project><PropertyGroup><LangVersion>12</LangVersion></PropertyGroup></Project>
//- src/Directory.Build.props
<Project>
  <PropertyGroup><Above>$([System.IO.Path]::Combine('..', '$(_DirectoryBuildPropsFile)'))</Above></PropertyGroup>
  <Import Project="$(Above)" Condition="Exists('$(Above)')" />
</Project>
//- src/Directory.Build.targets
<Project><PropertyGroup><RootNamespace Condition="'$(DirectoryBuildPropsPath)' != ''">Found</RootNamespace></PropertyGroup></Project>
//- src/a/A.csproj
<Project Sdk="Microsoft.NET.Sdk" />"#,
        &[
            ("src/a/A.csproj /dotnet/targets/0/langVersion", r#""12""#),
            ("src/a/A.csproj /dotnet/rootNamespace", r#""Found""#),
        ],
    ),
    (
        "implicit usings by SDK, with the project's own",
        r#"
//- C/C.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
  <ItemGroup>
    <Using Remove="System.Net.Http" />
    <Using Include="System.Math" Static="true" />
    <Using Include="System.Text.StringBuilder" Alias="SB" />
    <Using Include="Mine; Yours" />
  </ItemGroup>
</Project>
//- W/W.csproj
<Project Sdk="Microsoft.NET.Sdk.Web/8.0.1"><PropertyGroup><TargetFramework>net8.0</TargetFramework><ImplicitUsings>true</ImplicitUsings></PropertyGroup></Project>
//- K/K.csproj
<Project Sdk="Microsoft.NET.Sdk.Worker"><PropertyGroup><TargetFramework>net8.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>
//- F/F.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net48</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>
//- N/N.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><ImplicitUsings>disable</ImplicitUsings></PropertyGroup></Project>"#,
        &[
            (
                "C/C.csproj /dotnet/targets/0/usings",
                r#"[{"name":"System"},{"name":"System.Collections.Generic"},{"name":"System.IO"},{"name":"System.Linq"},{"name":"System.Threading"},{"name":"System.Threading.Tasks"},{"name":"System.Math","isStatic":true},{"name":"System.Text.StringBuilder","alias":"SB"},{"name":"Mine"},{"name":"Yours"}]"#,
            ),
            (
                "W/W.csproj /dotnet/targets/0/usings/8/name",
                r#""Microsoft.AspNetCore.Builder""#,
            ),
            (
                "W/W.csproj /dotnet/targets/0/usings/15/name",
                r#""Microsoft.Extensions.Logging""#,
            ),
            (
                "K/K.csproj /dotnet/targets/0/usings/7/name",
                r#""Microsoft.Extensions.Configuration""#,
            ),
            ("K/K.csproj /dotnet/targets/0/usings/11", "nothing"),
            (
                "F/F.csproj /dotnet/targets/0/usings/4/name",
                r#""System.Threading""#,
            ),
            ("N/N.csproj /dotnet/targets/0/usings", "nothing"),
        ],
    ),
    (
        "each target framework is evaluated for itself",
        r#"
//- L/L.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFrameworks>net8.0;netstandard2.0</TargetFrameworks>
    <DefineConstants Condition="'$(TargetFramework)' == 'net8.0'">$(DefineConstants);SPANS</DefineConstants>
  </PropertyGroup>
  <ItemGroup Condition="'$(TargetFramework)' != 'net8.0'">
    <Compile Include="..\Compat\Compat.cs" />
    <Using Include="Compat" />
  </ItemGroup>
  <ItemGroup Condition="'$(TargetFramework)' == 'net8.0'"><Compile Remove="Legacy.cs" /></ItemGroup>
</Project>
//- L/L.cs L/Legacy.cs Compat/Compat.cs"#,
        &[
            ("L/L.csproj /tfm", r#""net8.0;netstandard2.0""#),
            (
                "L/L.csproj /dotnet/targets/1/framework",
                r#""netstandard2.0""#,
            ),
            (
                "L/L.csproj /dotnet/targets/0/defineConstants/2",
                r#""SPANS""#,
            ),
            (
                "L/L.csproj /dotnet/targets/1/defineConstants/2",
                r#""NETSTANDARD""#,
            ),
            ("L/L.csproj /dotnet/targets/0/usings", "nothing"),
            (
                "L/L.csproj /dotnet/targets/1/usings",
                r#"[{"name":"Compat"}]"#,
            ),
            // What belongs to it for one framework belongs to it.
            ("files L/L.csproj", "Compat/Compat.cs L/L.cs L/Legacy.cs"),
        ],
    ),
    (
        "a list of one framework sets it too; paths that nobody knows are kept",
        r#"
//- Directory.Build.props
<Project><PropertyGroup><Repo>$([System.IO.Path]::GetFullPath('$(MSBuildThisFileDirectory)'))</Repo></PropertyGroup></Project>
//- L/L.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFrameworks>net48</TargetFrameworks></PropertyGroup>
  <ItemGroup Condition="'$(TargetFrameworkIdentifier)' == '.NETFramework'"><Using Include="Old" /></ItemGroup>
  <ItemGroup Condition="'@(None)' != ''"><Using Include="Perhaps" /></ItemGroup>
  <ItemGroup>
    <ProjectReference Include="$(Repo)M/M.csproj" />
    <ProjectReference Include="$(SolutionDir)\N\N.csproj" />
  </ItemGroup>
</Project>
//- M/M.csproj
<Project Sdk="Microsoft.NET.Sdk" />"#,
        &[
            (
                "L/L.csproj /dotnet/targets/0/usings",
                r#"[{"name":"Old"},{"name":"Perhaps"}]"#,
            ),
            (
                "refs L/L.csproj",
                r"M>M/M.csproj N><$(SolutionDir)\N\N.csproj>!",
            ),
            ("problems", ""),
        ],
    ),
    (
        "what depends on unknown things is possible",
        r#"
//- U/U.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><EnableDefaultCompileItems Condition="Exists('x')">false</EnableDefaultCompileItems></PropertyGroup>
  <ItemGroup Condition="'$(OS)' == 'Windows_NT'"><Compile Remove="Unix.cs" /><Compile Include="..\Win\W.cs" /></ItemGroup>
  <ItemGroup Condition="'a' == 'b'"><Compile Include="..\Win\Never.cs" /></ItemGroup>
  <Choose>
    <When Condition="'1' == '2'"><ItemGroup><Using Include="One" /></ItemGroup></When>
    <When Condition="'1' == '1'"><ItemGroup><Using Include="Two" /></ItemGroup></When>
    <Otherwise><ItemGroup><Using Include="Three" /></ItemGroup></Otherwise>
  </Choose>
</Project>
//- U/Unix.cs Win/W.cs Win/Never.cs"#,
        &[
            ("files U/U.csproj", "U/Unix.cs Win/W.cs"),
            ("U/U.csproj /dotnet/targets/0/usings", r#"[{"name":"Two"}]"#),
        ],
    ),
    (
        "references: backslashes, other case, missing, outside, several in one",
        r#"
//- A/A.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <ItemGroup>
    <ProjectReference Include="..\b\B.CSPROJ" />
    <ProjectReference Include="..\C\C.csproj;..\..\Far\Far.csproj" />
    <ProjectReference Include="..\None\None.csproj" />
  </ItemGroup>
</Project>
//- B/B.csproj
<Project Sdk="Microsoft.NET.Sdk" />
//- C/C.csproj
<Project Sdk="Microsoft.NET.Sdk" />"#,
        &[
            (
                "refs A/A.csproj",
                r"B>B/B.csproj C>C/C.csproj Far><..\..\Far\Far.csproj>! None>None/None.csproj!",
            ),
            (
                "problems",
                "A/A.csproj:5:5 “None/None.csproj” does not exist.",
            ),
        ],
    ),
    (
        "projects that refer to each other are told",
        r#"
//- A/A.csproj
<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><ProjectReference Include="../B/B.csproj" /></ItemGroup></Project>
//- B/B.csproj
<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><ProjectReference Include="../C/C.csproj" /></ItemGroup></Project>
//- C/C.csproj
<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><ProjectReference Include="../A/A.csproj" /></ItemGroup></Project>"#,
        &[(
            "problems",
            "A/A.csproj:1:45 Projects refer to each other: A, B, C.",
        )],
    ),
    (
        "imports: missing, of themselves, by wildcard, of unusual names",
        r#"
//- A/A.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <Import Project="..\none.props" />
  <Import Project="..\perhaps.props" Condition="Exists('..\perhaps.props')" />
  <Import Project="..\loop.props" />
  <Import Project="..\parts\*.props" />
  <Import Project="..\Unusual.msbuild" />
</Project>
//- loop.props
<Project><Import Project="loop.props" /></Project>
//- parts/one.props
<Project><ItemGroup><Using Include="One" /></ItemGroup></Project>
//- Unusual.msbuild
<Project><ItemGroup><Using Include="Unusual" /></ItemGroup></Project>"#,
        &[
            (
                "A/A.csproj /dotnet/targets/0/usings",
                r#"[{"name":"One"},{"name":"Unusual"}]"#,
            ),
            (
                "problems",
                "A/A.csproj:2:3 The imported file “none.props” does not exist. | loop.props:1:10 “loop.props” imports itself.",
            ),
        ],
    ),
    (
        "a solution in the old format",
        r#"
//- All.sln
Microsoft Visual Studio Solution File, Format Version 12.00
Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "A", "src\A\A.csproj", "{1}"
EndProject
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "Folder", "Folder", "{2}"
EndProject
Project("{F2A71F9B-5D33-465A-A702-920D77279786}") = "F", "src\F\F.fsproj", "{3}"
EndProject
Project("{8BC9CEB8-8B4A-11D0-8D11-00A0C91BC942}") = "N", "native\N.vcxproj", "{4}"
EndProject
Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "G", "src\Gone\Gone.csproj", "{5}"
EndProject
//- src/A/A.csproj
<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><ProjectReference Include="..\F\F.fsproj" /></ItemGroup></Project>
//- src/F/F.fsproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>
//- native/N.vcxproj src/F/F.fs src/F/Stray.cs"#,
        &[
            (
                "members All.sln",
                "A F !native/N.vcxproj !src/Gone/Gone.csproj",
            ),
            ("refs src/A/A.csproj", "F>src/F/F.fsproj"),
            ("files src/F/F.fsproj", ""),
            ("src/F/F.fsproj /kind", r#""fSharp""#),
            (
                "problems",
                "All.sln:10:1 “src/Gone/Gone.csproj” does not exist.",
            ),
        ],
    ),
    (
        "a solution as XML",
        r#"
//- All.slnx
<Solution>
  <Folder Name="/src/"><Project Path="src/A/A.csproj" /></Folder>
  <Project Path="src\B\B.csproj" Type="C#" />
  <Project />
</Solution>
//- src/A/A.csproj
<Project Sdk="Microsoft.NET.Sdk" />
//- src/B/B.csproj
<Project Sdk="Microsoft.NET.Sdk" />"#,
        &[
            ("members All.slnx", "A B"),
            ("problems", "All.slnx:4:3 The project has no path."),
        ],
    ),
    (
        "shared items belong to whoever imports them",
        r#"
//- Shared/Shared.shproj
<Project><Import Project="Shared.projitems" Label="Shared" /></Project>
//- Shared/Shared.projitems
<Project><ItemGroup><Compile Include="$(MSBuildThisFileDirectory)S.cs" /></ItemGroup></Project>
//- A/A.csproj
<Project Sdk="Microsoft.NET.Sdk"><Import Project="..\Shared\Shared.projitems" Label="Shared" /></Project>
//- B/B.csproj
<Project Sdk="Microsoft.NET.Sdk"><Import Project="..\Shared\Shared.projitems" Label="Shared" /></Project>
//- Shared/S.cs A/A.cs B/B.cs"#,
        &[
            (
                "owners Shared/S.cs",
                "Shared/Shared.shproj A/A.csproj B/B.csproj",
            ),
            ("files A/A.csproj", "A/A.cs Shared/S.cs"),
            ("refs A/A.csproj", "Shared>Shared/Shared.shproj"),
        ],
    ),
    (
        "two projects in one folder and one inside the other",
        r#"
//- A/A.csproj
<Project Sdk="Microsoft.NET.Sdk" />
//- A/Tests.csproj
<Project Sdk="Microsoft.NET.Sdk" />
//- A/In/In.csproj
<Project Sdk="Microsoft.NET.Sdk" />
//- A/a.cs A/In/i.cs"#,
        &[
            ("owners A/a.cs", "A/A.csproj A/Tests.csproj"),
            (
                "owners A/In/i.cs",
                "A/In/In.csproj A/A.csproj A/Tests.csproj",
            ),
        ],
    ),
    (
        "a broken project keeps its folder and what could be read",
        r#"
//- A/A.csproj
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
  <ItemGroup><ProjectReference Include="../B/B.csproj" /></ItemGroup>
  <ItemGroup>
    <Compile Remo
//- B/B.csproj
not XML at all
//- C/C.csproj
//- A/a.cs B/b.cs C/c.cs"#,
        &[
            ("A/A.csproj /tfm", r#""net8.0""#),
            ("refs A/A.csproj", "B>B/B.csproj"),
            ("of A/a.cs", "A/A.csproj"),
            ("of B/b.cs", "B/B.csproj"),
            ("of C/c.cs", "C/C.csproj"),
        ],
    ),
    (
        "entities are not expanded, properties do not grow without end",
        r#"
//- A/A.csproj
<!DOCTYPE Project [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><RootNamespace>x&b;y&amp;&#65;</RootNamespace></PropertyGroup>
  <PropertyGroup><P>0123456789</P><P>$(P)$(P)$(P)$(P)$(P)$(P)$(P)$(P)</P><P>$(P)$(P)$(P)$(P)$(P)$(P)$(P)$(P)</P>
    <P>$(P)$(P)$(P)$(P)$(P)$(P)$(P)$(P)</P><P>$(P)$(P)$(P)$(P)$(P)$(P)$(P)$(P)</P><P>$(P)$(P)$(P)$(P)$(P)$(P)$(P)$(P)</P>
    <LangVersion>$(P)</LangVersion></PropertyGroup>
</Project>"#,
        &[
            ("A/A.csproj /dotnet/rootNamespace", r#""xy&A""#),
            ("A/A.csproj /dotnet/targets/0/langVersion", "nothing"),
        ],
    ),
];

#[test]
fn dotnet_projects() {
    check(CASES);
}

#[test]
fn a_project_in_utf_16_or_with_a_mark_is_read() {
    let text = r#"<?xml version="1.0" encoding="utf-16"?><Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework><RootNamespace>Größe</RootNamespace></PropertyGroup></Project>"#;
    let wide = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(to_bytes).collect()
    };
    let mut marked = b"\xEF\xBB\xBF".to_vec();
    marked.extend(text.as_bytes());
    for bytes in [wide(u16::to_le_bytes), wide(u16::to_be_bytes), marked] {
        let projects = projects(&[("A/A.csproj".into(), bytes), ("A/a.cs".into(), Vec::new())]);
        assert_eq!(
            answer(&projects, "A/A.csproj /dotnet/rootNamespace"),
            "\"Größe\""
        );
        assert_eq!(answer(&projects, "problems"), "");
    }
}

#[test]
fn what_is_too_large_or_no_text_is_told() {
    let large = vec![b' '; 4 * 1024 * 1024 + 1];
    let files = [
        ("A/A.csproj".to_owned(), large),
        ("B/B.csproj".to_owned(), b"\0\x01\x02".to_vec()),
        ("A/a.cs".to_owned(), Vec::new()),
    ];
    let projects = projects(&files);
    assert_eq!(
        answer(&projects, "problems"),
        "A/A.csproj:0:0 The file has 4194305 bytes; manifests above 4194304 are not read. | B/B.csproj:0:0 The file is not text."
    );
    assert_eq!(answer(&projects, "of A/a.cs"), "A/A.csproj");
}

#[test]
fn patterns_beyond_any_use_are_left_out() {
    let items: String = (0..3_000)
        .map(|n| format!("<Compile Include=\"../x{n}/**/*.cs\" />"))
        .collect();
    let text =
        format!("<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup>{items}</ItemGroup></Project>");
    let files = [
        ("a/A.csproj".to_owned(), text.into_bytes()),
        ("x1/a.cs".to_owned(), Vec::new()),
        ("x2999/a.cs".to_owned(), Vec::new()),
    ];
    let projects = projects(&files);
    assert_eq!(answer(&projects, "files a/A.csproj"), "x1/a.cs");
    assert!(answer(&projects, "problems").contains("Only the first 2000 patterns are used."));
}

#[test]
fn assemblies_have_the_places_that_a_project_hints_at() {
    use codecortex_project::{AssemblyReference, Detail, ManifestTarget};

    let text = r#"<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><Lib>..\lib</Lib></PropertyGroup><ItemGroup>
      <PackageReference Include="Paging" Version="1.2.0" />
      <PackageReference Include="Gone" /><PackageReference Remove="Gone" />
      <Reference Include="Till, Version=1.0.0.0, Culture=neutral"><HintPath>$(Lib)\net48\Till.dll</HintPath></Reference>
      <Reference Include="Unsure" HintPath="$(Nobody)\Unsure.dll" />
    </ItemGroup></Project>"#;
    let files = [
        ("A/A.csproj".to_owned(), text.as_bytes().to_vec()),
        ("A/a.cs".to_owned(), Vec::new()),
    ];
    let projects = projects(&files);
    let Detail::Dotnet(dotnet) = &projects.all()[0].detail else {
        panic!("no project of .NET");
    };
    let assembly = |name: &str, place: Option<&str>| AssemblyReference {
        name: name.to_owned(),
        place: place.map(|path| ManifestTarget::Inside(path.to_owned())),
    };
    assert_eq!(
        dotnet.assemblies[..2],
        [
            assembly("Paging", None),
            assembly("Till", Some("lib/net48/Till.dll"))
        ]
    );
    assert_eq!(dotnet.assemblies[2].name, "Unsure");
    assert_eq!(dotnet.assemblies.len(), 3);
}
